package import SwiftletVision

/// What detectors and labelers accept: a ``VisionImage``, or an `MLImage`.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// A picture whose pixels can be read.
package protocol PixelSource: MLKitCompatibleImage {
  /// The picture as it is now, to be read when its turn has come.
  ///
  /// - Throws: `TaskError` that says why it cannot be used.
  func snapshot() throws -> PictureSnapshot

  /// When the picture was taken, if it is known.
  var time: Duration? { get }
}

extension MLImage: MLKitCompatibleImage {}

extension MLImage: PixelSource {
  package var time: Duration? {
    #if canImport(CoreMedia)
      return sampleBuffer.flatMap { Duration(presentationTimeOf: $0) }
    #else
      return nil
    #endif
  }
}

extension Duration {
  /// Longer than any clock runs, and short enough to be counted.
  private static let longestTime = 1e15

  /// A time in seconds; `nil` for what is no number, and for times that no clock shows.
  init?(clockTime seconds: TimeInterval) {
    guard (-Self.longestTime...Self.longestTime).contains(seconds) else { return nil }
    self = .seconds(seconds)
  }

  #if canImport(CoreMedia)
    /// When a sample buffer's picture was taken, if it says so.
    init?(presentationTimeOf buffer: CMSampleBuffer) {
      let time = CMSampleBufferGetPresentationTimeStamp(buffer)
      guard time.isNumeric else { return nil }
      self.init(clockTime: time.seconds)
    }
  #endif
}
