import SwiftletImageCodecs

/// What a client can make the service spend.
struct Limits: Sendable {
  /// The request line and all headers.
  var headByteCount = 16 << 10
  /// An image's file. Together with `connections` this bounds what requests take while they come in: 1 GiB.
  var bodyByteCount = 8 << 20
  /// How long a request may take to come in, and an answer to be taken, however slowly the bytes come.
  var transferTime = Duration.seconds(10)
  /// How long a connection may stay open between two requests.
  var idleTime = Duration.seconds(30)
  /// Connections at a time. Each has a thread; one more is told to come back later.
  var connections = 128
  /// Images that wait while others are worked on; one more is told to come back later.
  var waitingPictures = 64
  /// One run of the model.
  var runTime = Duration.seconds(5)
  /// A small file can be a large image.
  var decoder: ImageDecoderLimits = {
    var limits = ImageDecoderLimits.default
    limits.maximumPixelCount = 25_000_000
    limits.maximumWorkingByteCount = 256 << 20
    return limits
  }()
}
