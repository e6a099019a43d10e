public import SwiftletTasks

/// A mask with the model's confidence at every pixel of an image, 0…1.
///
/// A value type: copies share their pixels.
///
/// - Thread safety: callable concurrently.
public struct ConfidenceMask: Sendable, Equatable {
  /// The number of pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The confidences in row-major order, shared between copies.
  @_spi(Facades) public let storage: MaskPixels<Float>

  /// Creates a mask from confidences whose memory may be borrowed.
  @_spi(Facades) public init(_ storage: MaskPixels<Float>, width: Int, height: Int) {
    (self.storage, self.width, self.height) = (storage, width, height)
  }

  /// Creates a mask from confidences in row-major order, without padding.
  ///
  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` confidences and both sides are positive.
  public init(_ confidences: [Float], width: Int, height: Int) throws(TaskError) {
    try MaskPixels<Float>.check(count: confidences.count, width, height)
    self.init(MaskPixels(confidences), width: width, height: height)
  }

  /// The confidence at a pixel; `nil` outside the mask.
  public subscript(x: Int, y: Int) -> Float? { storage.pixel(x, y, width, height) }

  /// A copy of the confidences in row-major order.
  public var pixels: [Float] { withPixels { Array($0) } }

  /// Calls `body` with the confidences in row-major order, without a copy. The pointer is valid only during the call.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<Float>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.numbers)
  }

  /// The mask of the mirror image.
  var mirrored: ConfidenceMask { ConfidenceMask(storage.mirrored(width: width), width: width, height: height) }

  /// Returns whether both masks have the same size and the same confidences.
  public static func == (first: ConfidenceMask, second: ConfidenceMask) -> Bool {
    first.width == second.width && first.height == second.height && first.storage.isEqual(to: second.storage)
  }
}

/// A mask with the category of every pixel of an image.
///
/// A value type: copies share their pixels.
///
/// - Thread safety: callable concurrently.
public struct CategoryMask: Sendable, Equatable {
  /// The number of pixels per row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The category names by index; empty if the model has no labels.
  public let labels: [String]
  /// The category indices in row-major order, shared between copies.
  @_spi(Facades) public let storage: MaskPixels<UInt8>

  /// Creates a mask from category indices whose memory may be borrowed.
  @_spi(Facades) public init(_ storage: MaskPixels<UInt8>, width: Int, height: Int, labels: [String] = []) {
    (self.storage, self.width, self.height, self.labels) = (storage, width, height, labels)
  }

  /// Creates a mask from category indices in row-major order, without padding.
  ///
  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` indices and both sides are positive.
  public init(_ categories: [UInt8], width: Int, height: Int, labels: [String] = []) throws(TaskError) {
    try MaskPixels<UInt8>.check(count: categories.count, width, height)
    self.init(MaskPixels(categories), width: width, height: height, labels: labels)
  }

  /// The index of the category at a pixel; `nil` outside the mask.
  ///
  /// For a model with one output channel, 0 is the foreground and 255 the background.
  public subscript(x: Int, y: Int) -> Int? { storage.pixel(x, y, width, height).map { Int($0) } }

  /// Returns the name of the category at a pixel; `nil` outside the mask and for a category without a name.
  public func label(x: Int, y: Int) -> String? {
    guard let category = self[x, y], labels.indices.contains(category) else { return nil }
    return labels[category]
  }

  /// A copy of the category indices in row-major order.
  public var pixels: [UInt8] { withPixels { Array($0) } }

  /// Calls `body` with the category indices in row-major order, without a copy. The pointer is valid only during the
  /// call.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(storage.numbers)
  }

  /// Returns whether both masks have the same size, categories, and names.
  public static func == (first: CategoryMask, second: CategoryMask) -> Bool {
    first.width == second.width && first.height == second.height && first.labels == second.labels
      && first.storage.isEqual(to: second.storage)
  }
}
