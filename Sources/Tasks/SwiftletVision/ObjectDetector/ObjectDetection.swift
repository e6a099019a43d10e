public import SwiftletImage
public import SwiftletTasks

/// An object in an image.
public struct ObjectDetection: Sendable, Hashable {
  /// The categories, best first: usually one, several if a model gives the same box several classes.
  public var categories: [ResultCategory]
  /// The box of the object, in whole pixels of the stored image.
  public var box: PixelRect
  /// The keypoints of the object, as fractions of the stored image's size; empty for models without keypoints.
  public var keypoints: [NormalizedPoint]

  /// Creates an object.
  public init(categories: [ResultCategory], box: PixelRect, keypoints: [NormalizedPoint] = []) {
    self.categories = categories
    self.box = box
    self.keypoints = keypoints
  }

  /// The best score, 0…1; 0 without a category.
  public var score: Float { categories.first?.score ?? 0 }
  /// The name of the best category; `nil` if the model names none.
  public var label: String? { categories.first?.categoryName }
}
