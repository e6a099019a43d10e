public import Foundation
import SwiftletVision

/// What detectors accept: a ``VisionImage``.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// A picture whose pixels can be read.
protocol PixelSource: MLKitCompatibleImage {
  /// The picture as tasks take it.
  ///
  /// - Throws: `ObjectDetectionError` (`invalidArgument`) that says why it cannot be used.
  func picture() throws(ObjectDetectionError) -> MPImage

  /// When the picture was taken, if it is known.
  var time: Duration? { get }
}
