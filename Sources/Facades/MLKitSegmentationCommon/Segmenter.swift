import SwiftletBase
@_spi(Facades) import SwiftletImage
import SwiftletTasks
import SwiftletVision

/// Separates people from the background of images.
///
/// - Thread safety: callable concurrently; calls on one segmenter are processed one by one, in order.
open class Segmenter: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  private let product: Once<SegmenterRecipe.Product>
  private let queue: ImageQueue

  private init(_ options: CommonSegmenterOptions) {
    let recipe = SegmenterRecipe(options)
    product = Once { () throws(MLKitError) in try recipe.make() }
    queue = ImageQueue(of: "segmenter", options)
  }

  /// Returns a segmenter with the given options. Later changes to the options have no effect.
  ///
  /// A problem with a model or an option is reported as the error of the first image, and of every later one.
  /// ``make(options:)`` throws it immediately.
  public class func segmenter(options: CommonSegmenterOptions) -> Segmenter { Segmenter(options) }

  /// Returns a segmenter with the given options, after checking that its model exists and is valid. This is an addition
  /// to ML Kit's API.
  ///
  /// - Throws: `MLKitError` with the problem with the options or the model.
  public class func make(options: CommonSegmenterOptions) throws -> Segmenter {
    let segmenter = Segmenter(options)
    _ = try segmenter.product.product()
    return segmenter
  }

  private static let model = Mutex(LocalModel?.none)

  /// The model of all segmenters in the process whose options specify none: MediaPipe's published model
  /// `selfie-segmenter`. ML Kit contains a model; here, the app provides one. A change doesn't affect segmenters that
  /// were created before. This is an addition to ML Kit's API.
  public static var defaultModel: LocalModel? {
    get { model.withLock { $0 } }
    set { model.withLock { $0 = newValue } }
  }

  // MARK: Images

  /// Segments an image. Returns immediately; may be called on any thread.
  ///
  /// The image's pixels are read on the segmenter's own queue when it is processed. Until then, its buffer is retained
  /// and must not be written to.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - completion: Receives the mask, or an `MLKitError`, on the completion queue in the options, which is the main
  ///     queue by default.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping SegmentationCallback) {
    queue.later(image, completion: completion) { [self] request throws(MLKitError) in try mask(request) }
  }

  /// Returns the mask of an image, without blocking the thread. The pixels are read on the segmenter's own queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the image is processed.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> SegmentationMask {
    try await queue.value(image) { [self] request throws(MLKitError) in try mask(request) }
  }

  /// Returns the mask of an image; blocks until done.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, if `strictMainThreadCheck` is set in the options.
  open func results(in image: any MLKitCompatibleImage) throws -> SegmentationMask {
    try queue.now(image) { request throws(MLKitError) in try mask(request) }
  }

  private func mask(_ request: ImageQueue.Request) throws(MLKitError) -> SegmentationMask {
    let segmenter = try product.product().segmenter
    let image = try request.image()
    return try reportingMLKitErrors { () throws(TaskError) in
      let masks = try segmenter.segmentation(of: try image.upright()).confidenceMasks
      guard masks.count == 1 else {
        throw TaskError(
          .invalidModel,
          "a selfie segmentation model has one class, the person, but this one has \(masks.count); use MediaPipe's 'selfie-segmenter'"
        )
      }
      return try SegmentationMask(try masks[0].stored(image.orientation))
    }
  }
}

/// A closure that receives the mask of an image, or an error.
public typealias SegmentationCallback = (SegmentationMask?, (any Error)?) -> Void

extension InputImage {
  /// Returns the image with upright pixels. The segmentation task doesn't rotate the masks of other images back.
  fileprivate func upright() throws(TaskError) -> InputImage {
    guard orientation != .up else { return self }
    let (width, height) = orientation.swapsWidthAndHeight ? (height, width) : (width, height)
    do {
      return InputImage(try buffer.oriented(orientation), ofWidth: width, height: height)
    } catch {
      throw TaskError(.invalidImage, error.message)
    }
  }
}

extension ConfidenceMask {
  /// Returns the mask of a stored image, given the mask of the upright image.
  fileprivate func stored(_ orientation: ImageOrientation) throws(TaskError) -> ConfidenceMask {
    guard orientation != .up else { return self }
    let (width, height) = orientation.swapsWidthAndHeight ? (height, width) : (width, height)
    // The index in the upright mask changes by a constant from column to column, and from row to row.
    let map = orientation.storedToUpright
    let column = Int(map.xx) + Int(map.yx) * self.width
    let row = Int(map.xy) + Int(map.yy) * self.width
    let first = Int(map.x0) * (self.width - 1) + Int(map.y0) * (self.height - 1) * self.width
    let confidences = withPixels { upright in
      [Float](unsafeUninitializedCapacity: width * height) { target, count in
        for y in 0..<height {
          for x in 0..<width { target.initializeElement(at: y * width + x, to: upright[first + y * row + x * column]) }
        }
        count = width * height
      }
    }
    return try ConfidenceMask(confidences, width: width, height: height)
  }
}
