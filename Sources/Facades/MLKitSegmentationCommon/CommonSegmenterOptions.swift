import SwiftletVision

/// The options that all segmenters share. Create an instance of a subclass.
///
/// A segmenter copies the values when it is created; later changes have no effect on it.
open class CommonSegmenterOptions: CommonVisionOptions {
  /// The mode of the segmenter: single images or a stream. The masks are the same in both modes: a frame of a stream is
  /// processed like an image, without the masks of earlier frames.
  open var segmenterMode = SegmenterMode.stream
  /// A Boolean value that indicates whether masks have the size of the model's output instead of the image's size.
  open var shouldEnableRawSizeMask = false

  // MARK: Additions to ML Kit's options

  /// The segmentation model. `nil` for ``Segmenter/defaultModel``.
  open var model: LocalModel?

  override init() {}
}

/// The options of a segmenter that separates people from the background.
///
/// ML Kit contains a model for it. Here, the app provides one: MediaPipe's published model `selfie-segmenter`.
open class SelfieSegmenterOptions: CommonSegmenterOptions {
  /// Creates options for a stream and masks of the image's size, as in ML Kit.
  public override init() { super.init() }
}

/// The mode of a segmenter, with ML Kit's raw values.
public struct SegmenterMode: RawRepresentable, Sendable, Hashable, StreamMode {
  /// The raw value of the mode.
  public let rawValue: Int

  /// Creates a mode with a raw value. Segmenters reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Independent images.
  public static let singleImage = SegmenterMode(rawValue: 0)
  /// The frames of a camera or a video.
  public static let stream = SegmenterMode(rawValue: 1)
}

/// A snapshot of the options, and the image segmenter that they describe.
struct SegmenterRecipe: Sendable {
  /// An image segmenter, and the model whose file it uses. As long as it exists, the store doesn't remove the file.
  struct Product: Sendable {
    var segmenter: ImageSegmenter
    var model: LocalModel
  }

  private let mode: SegmenterMode
  private let model: LocalModel?
  private let resolution: MaskResolution
  private let threads: Int

  init(_ options: CommonSegmenterOptions) {
    mode = options.segmenterMode
    model = options.model ?? Segmenter.defaultModel
    resolution = options.shouldEnableRawSizeMask ? .model : .image
    threads = options.threadCount
  }

  /// - Throws: `MLKitError` with the problem with the options or the model.
  func make() throws(MLKitError) -> Product {
    guard let model else {
      throw .missingModel(of: "a segmenter", property: "Segmenter.defaultModel", published: "selfie-segmenter")
    }
    _ = try mode.isStream("segmenter")
    try MLKitError.requireThreads(threads)
    let options = ImageSegmenterOptions(
      baseOptions: try BaseOptions(model, threads: threads), maskResolution: resolution)
    let segmenter = try reportingMLKitErrors { () throws(TaskError) in try ImageSegmenter(options: options) }
    return Product(segmenter: segmenter, model: model)
  }
}
