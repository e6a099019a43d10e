import SwiftletImageCodecs

/// The limits on the resources that clients can use.
struct Limits: Sendable {
  /// The maximum size of the request line and all headers.
  var headByteCount = 16 << 10
  /// The maximum size of an image file. Together with `connections`, it limits the memory of incoming requests to 1
  /// GiB.
  var bodyByteCount = 8 << 20
  /// The maximum time for receiving a request and for sending a response, however slowly the bytes arrive.
  var transferTime = Duration.seconds(10)
  /// The maximum time that a connection stays open between two requests.
  var idleTime = Duration.seconds(30)
  /// The maximum number of connections. Each has a thread. Further clients are asked to try again later.
  var connections = 128
  /// The maximum number of images that wait for processing. For further images, clients are asked to try again later.
  var waitingImages = 64
  /// The maximum time of one run of the model.
  var runTime = Duration.seconds(5)
  /// The decoder's limits, because a small file can contain a large image.
  var decoder: ImageDecoderLimits = {
    var limits = ImageDecoderLimits.default
    limits.maximumPixelCount = 25_000_000
    limits.maximumWorkingByteCount = 256 << 20
    return limits
  }()
}
