package dev.berth.podresources;

/** Is told who asks what. */
public interface PodResourcesListener {
  /** A call, and what counts it in the kubelet's metrics, with {@code server_api_version="v1"}. */
  enum Call {
    /** Which pod has what. */
    LIST("list"),
    /** What pods can be given. */
    GET_ALLOCATABLE("get_allocatable"),
    /** What one pod has. */
    GET("get");

    /** Counts all calls. */
    public static final String REQUESTS_TOTAL = "kubelet_pod_resources_endpoint_requests_total";

    private final String word;

    Call(String word) {
      this.word = word;
    }

    /** The counter of these calls. */
    public String requests() {
      return "kubelet_pod_resources_endpoint_requests_" + word;
    }

    /** The counter of those that failed. */
    public String errors() {
      return "kubelet_pod_resources_endpoint_errors_" + word;
    }
  }

  /** A call has come. */
  void requested(Call call);

  /** It failed. */
  void failed(Call call);

  /** A line for the log. */
  void log(String line);
}
