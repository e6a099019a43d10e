package import SwiftletImage

/// What a vision task processes: an image, or a part of it.
package struct VisionInput: Sendable {
  package var image: InputImage
  /// The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated.
  package var region: NormalizedRect?

  package init(_ image: InputImage, region: NormalizedRect? = nil) {
    self.image = image
    self.region = region
  }
}

/// A vision task's steps from an image to its output.
typealias VisionPipeline = TaskPipeline
