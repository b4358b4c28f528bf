package dev.berth.cli.guide;

/** The parts of completion scripts that are the same whatever the commands are. */
final class Templates {
  /** For shells that understand POSIX. */
  static final String TABLE =
      """
      # Completes berth; made by "berth completion".

      # What may stand after a command.
      __berth_next() {
        case "$1" in
      %COMMANDS%
        esac
      }

      # The options of a command.
      __berth_options() {
        case "$1" in
      %OPTIONS%
        esac
      }

      # What an option of a command takes.
      __berth_values() {
        case "$1" in
      %VALUES%
        esac
      }

      # Whether an option of a command takes nothing.
      __berth_is_plain() {
        case "$1" in
      %PLAIN%
        esac
        return 1
      }

      # Walks the words before the cursor. Sets berth_at, the command they lead to, berth_asks, the
      # option whose value comes next, and berth_socket, where the agent was said to listen.
      __berth_walk() {
        berth_at=berth
        berth_asks=
        berth_socket=
        while [ $# -gt 0 ]; do
          if [ "$1" = = ]; then
            : # Between an option and its value, as bash takes them apart.
          elif [ -n "$berth_asks" ]; then
            [ "$berth_asks" != --socket ] || berth_socket=$1
            berth_asks=
          else
            case "$1" in
              --socket=*) berth_socket=${1#*=} ;;
              --) return ;;
              -*=*) ;;
              -*) __berth_is_plain "$berth_at $1" || berth_asks=$1 ;;
              *) case " $(__berth_next "$berth_at") " in
                  *" $1 "*) [ -z "$(__berth_options "$berth_at $1")" ] || berth_at="$berth_at $1" ;;
                esac ;;
            esac
          fi
          shift
        done
      }

      # The names of the pods at the agent that the command line or BERTH_SOCKET names.
      __berth_pods() {
        case $berth_socket in
          "~/"*) berth_socket=$HOME/${berth_socket#??} ;;
        esac
        "$1" ps -o names ${berth_socket:+--socket "$berth_socket"} 2>/dev/null
      }

      # What the walk led to.
      __berth_words() {
        if [ -n "$berth_asks" ]; then
          __berth_values "$berth_at $berth_asks"
          return
        fi
        case "$1" in
          -*) __berth_options "$berth_at" ;;
          *) __berth_next "$berth_at" ;;
        esac
      }

      """;

  static final String BASH =
      """
      _berth() {
        local berth_at berth_asks berth_socket words
        local current=${COMP_WORDS[COMP_CWORD]} before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
        # "--option=" comes as words of their own.
        if [ "$current" = = ]; then
          current=
        fi
        __berth_walk "${before[@]}"
        words=$(__berth_words "$current")
        case " $words " in
          *" @pods "*) words=$(__berth_pods "${COMP_WORDS[0]}") ;;
          *" @files "*)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            return ;;
        esac
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
      }
      complete -F _berth berth ./berth
      """;

  static final String ZSH =
      """
      _berth() {
        local berth_at berth_asks berth_socket candidates before
        before=("${(@)words[2,CURRENT-1]}")
        if [[ $PREFIX == -*=* ]]; then
          before+=("${PREFIX%%=*}")
          compset -P '*='
        fi
        __berth_walk "$before[@]"
        candidates=$(__berth_words "$PREFIX")
        case " $candidates " in
          *" @pods "*) compadd -- ${(f)"$(__berth_pods "${words[1]}")"} ;;
          *" @files "*) _files ;;
          *) compadd -- ${=candidates} ;;
        esac
      }
      if [ "${funcstack[1]}" = _berth ]; then
        _berth "$@"
      else
        compdef _berth berth ./berth
      fi
      """;

  static final String FISH =
      """
      # Completes berth; made by "berth completion".
      complete -c berth -f

      # The names of the pods at the agent that the command line or BERTH_SOCKET names.
      function __berth_pods
        set -l words (commandline -opc)
        set -l socket
        for i in (seq 2 (count $words))
          switch $words[$i]
            case '--socket=*'
              set socket --socket (string replace -- --socket= '' $words[$i])
            case --socket
              set socket --socket $words[(math $i + 1)]
          end
        end
        $words[1] ps -o names $socket 2>/dev/null
      end

      # Whether the words before the cursor lead to this command.
      function __berth_at
        set -l at berth
        for word in (commandline -opc)[2..-1]
          if contains -- "$at $word" $__berth_commands
            set at "$at $word"
          end
        end
        test "$at" = "$argv"
      end

      """;

  private Templates() {}
}
