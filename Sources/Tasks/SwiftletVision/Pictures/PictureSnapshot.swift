#if canImport(UIKit)
  import SwiftletImage
  package import UIKit

  /// How façades say that pixels are turned.
  package typealias PictureOrientation = UIImage.Orientation
#else
  package import SwiftletImage

  /// How façades say that pixels are turned.
  package typealias PictureOrientation = ImageOrientation
#endif

/// A façade's picture as it was when a task was given it. Its pixels are read when they are needed, on any thread.
package struct PictureSnapshot: Sendable {
  private let source: any PictureSource
  private let orientation: ImageOrientation

  /// - Throws: `TaskError` for orientations that a later system may add.
  package init(_ source: any PictureSource, orientation: PictureOrientation) throws {
    self.source = source
    #if canImport(UIKit)
      self.orientation = try ImageOrientation(orientation)
    #else
      self.orientation = orientation
    #endif
  }

  /// The picture as tasks take it. Buffers are copied, as their owners may use them again.
  ///
  /// - Throws: `TaskError` or `ImageError` when the pixels are of a kind that tasks do not take.
  package func picture() throws -> InputImage {
    var picture = try source.picture()
    picture.orientation = orientation
    return picture
  }
}
