import SwiftletTasks
import SwiftletTracking
import SwiftletVision

/// Says what pictures show.
///
/// - Thread safety: callable concurrently; calls on one labeler are answered one after the other, in the order in which
///   they come.
open class ImageLabeler: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; this one has constants only, all of them Sendable.

  /// A labeler, and the local model whose file it uses: while it lives, the store does not remove it.
  private struct Product: Sendable {
    var labeler: PictureLabeler
    var model: LocalModel?
  }

  private let product: Once<Product>
  private let pictures: PictureQueue

  private init(_ options: CommonImageLabelerOptions) {
    let (recipe, threadCount) = (options.classifier, options.threadCount)
    product = Once { () throws(MLKitError) in
      let (options, model) = try recipe.options(threads: threadCount)
      return try reportingMLKitErrors { () throws(TaskError) in
        Product(labeler: try PictureLabeler(options: options), model: model)
      }
    }
    pictures = PictureQueue(
      of: "imagelabeler", completionQueue: options.completionQueue, refusesMainThread: options.strictMainThreadCheck)
  }

  /// A labeler with these options; changing them later changes nothing.
  ///
  /// What is wrong with a model or an option is the error of the first picture, and of every later one.
  /// ``make(options:)`` throws it at once.
  public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler { ImageLabeler(options) }

  /// A labeler with these options, whose model is there and can be used: an addition to ML Kit's interface.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the model.
  public class func make(options: CommonImageLabelerOptions) throws -> ImageLabeler {
    let labeler = ImageLabeler(options)
    _ = try labeler.product.product()
    return labeler
  }

  /// Names a picture. Returns at once; may be called on any thread.
  ///
  /// The picture's pixels are read on the labeler's own queue when its turn has come. Until then its buffer is held and
  /// must not be written to.
  ///
  /// - Parameters:
  ///   - image: the picture.
  ///   - completion: gets the labels, best first, or an `MLKitError`, on the options' completion queue: the main one,
  ///     unless another was named. An empty list is no error.
  open func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback) {
    pictures.later(image, completion: completion) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// The picture's labels, best first, without blocking the thread. Its pixels are read on the labeler's own
  /// queue.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` when cancelled before the picture's turn has come.
  nonisolated(nonsending) open func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel] {
    try await pictures.value(image) { [self] request throws(MLKitError) in try labels(request) }
  }

  /// The picture's labels, best first; blocks until they are known.
  ///
  /// - Throws: `MLKitError`; `calledOnMainThread` on the main thread, where the options' `strictMainThreadCheck` is set.
  open func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel] {
    try pictures.now(image) { request throws(MLKitError) in try labels(request) }
  }

  /// The names of the classes, by index: an addition to ML Kit's interface.
  ///
  /// - Throws: `MLKitError` that says what is wrong with the options or the model.
  public var labels: [String] {
    get throws { try product.product().labeler.labels }
  }

  private func labels(_ request: PictureQueue.Request) throws(MLKitError) -> [ImageLabel] {
    let labeler = try product.product().labeler
    let image = try request.image()
    let labels = try reportingMLKitErrors { () throws(TaskError) in try labeler.labels(of: image) }
    return labels.map { ImageLabel(text: $0.text, index: $0.index, confidence: $0.confidence) }
  }
}
