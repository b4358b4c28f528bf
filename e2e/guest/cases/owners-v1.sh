# shellcheck shell=sh
# The same as owners on version 1 of cgroups, with a tree for each controller.
version=1
# shellcheck source=e2e/guest/cases/owners.sh
. /berth/cases/owners.sh
