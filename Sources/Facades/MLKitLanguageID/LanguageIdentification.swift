import SwiftletBase
import SwiftletTasks
import SwiftletText

/// The tag of a text whose language is not known: `und`, as in BCP 47.
public let IdentifiedLanguageUndetermined = "und"

/// Identifies the language of texts.
///
/// - Thread safety: callable concurrently; calls on one object are processed one by one, in order.
open class LanguageIdentification: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; this one has constants only, all of them `Sendable`.

  /// A language detector, and the model whose file it uses. As long as it exists, the store doesn't remove the file.
  private struct Product: Sendable {
    var detector: LanguageDetector
    var model: LocalModel
  }

  /// ML Kit's thresholds if the options have none.
  private static let defaultThreshold: Float = 0.5
  private static let defaultThresholdOfSeveral: Float = 0.01

  private let product: Once<Product>
  private let threshold: Float?
  private let queue: CallQueue

  private init(_ options: LanguageIdentificationOptions) {
    let (model, threads) = (options.model ?? Self.defaultModel, options.threadCount)
    threshold = options.threshold
    queue = CallQueue(of: "languageid", completionQueue: options.completionQueue)
    product = Once { () throws(MLKitError) in
      guard let model else {
        throw MLKitError(
          .notFound,
          "language identification needs a model: set LanguageIdentification.defaultModel, or model in the options, to MediaPipe's language_detector.tflite"
        )
      }
      try MLKitError.requireThreads(threads)
      let base = try BaseOptions(model, threads: threads)
      return try reportingMLKitErrors { () throws(TaskError) in
        Product(detector: try LanguageDetector(options: LanguageDetectorOptions(baseOptions: base)), model: model)
      }
    }
  }

  /// Returns an object with the default thresholds: 0.5 for ``identifyLanguage(for:completion:)``, and 0.01 for
  /// ``identifyPossibleLanguages(for:completion:)``.
  public class func languageIdentification() -> LanguageIdentification {
    LanguageIdentification(LanguageIdentificationOptions(threshold: nil))
  }

  /// Returns an object with the given options. Later changes to the options have no effect.
  ///
  /// A problem with the model is reported as the error of the first text, and of every later one.
  public class func languageIdentification(options: LanguageIdentificationOptions) -> LanguageIdentification {
    LanguageIdentification(options)
  }

  private static let model = Mutex(LocalModel?.none)

  /// The model of all objects in the process whose options specify none. ML Kit contains a model; here, the app
  /// provides one. A change doesn't affect objects that were created before. This is an addition to ML Kit's API.
  public static var defaultModel: LocalModel? {
    get { model.withLock { $0 } }
    set { model.withLock { $0 = newValue } }
  }

  // MARK: Texts

  /// Identifies the main language of a text. Returns immediately; may be called on any thread.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - completion: Receives the BCP 47 tag of the language, ``IdentifiedLanguageUndetermined`` if no language is
  ///     likely enough, or an `MLKitError`, on the completion queue in the options, which is the main queue by default.
  open func identifyLanguage(for text: String, completion: @escaping IdentifyLanguageCallback) {
    queue.later(completion: completion) { [self] () throws(MLKitError) in try language(text) }
  }

  /// Identifies the possible languages of a text. Returns immediately; may be called on any thread.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - completion: Receives the languages, the most likely first, or an `MLKitError`, on the completion queue in the
  ///     options, which is the main queue by default. If no language is likely enough, the list has one element with
  ///     the tag ``IdentifiedLanguageUndetermined``.
  open func identifyPossibleLanguages(for text: String, completion: @escaping IdentifyPossibleLanguagesCallback) {
    queue.later(completion: completion) { [self] () throws(MLKitError) in try languages(text) }
  }

  /// Returns the BCP 47 tag of the main language of a text, without blocking the thread.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the text is processed.
  nonisolated(nonsending) open func identifyLanguage(for text: String) async throws -> String {
    try await queue.value { [self] () throws(MLKitError) in try language(text) }
  }

  /// Returns the possible languages of a text, the most likely first, without blocking the thread.
  ///
  /// - Throws: `MLKitError`, and `CancellationError` if the caller is cancelled before the text is processed.
  nonisolated(nonsending) open func identifyPossibleLanguages(for text: String) async throws -> [IdentifiedLanguage] {
    try await queue.value { [self] () throws(MLKitError) in try languages(text) }
  }

  private func language(_ text: String) throws(MLKitError) -> String {
    try predictions(text, threshold ?? Self.defaultThreshold).first?.languageCode ?? IdentifiedLanguageUndetermined
  }

  private func languages(_ text: String) throws(MLKitError) -> [IdentifiedLanguage] {
    let found = try predictions(text, threshold ?? Self.defaultThresholdOfSeveral)
    guard !found.isEmpty else {
      return [IdentifiedLanguage(languageTag: IdentifiedLanguageUndetermined, confidence: 1)]
    }
    return found.map { IdentifiedLanguage(languageTag: $0.languageCode, confidence: $0.probability) }
  }

  private func predictions(_ text: String, _ threshold: Float) throws(MLKitError) -> [LanguagePrediction] {
    let detector = try product.product().detector
    let found = try reportingMLKitErrors { () throws(TaskError) in try detector.languages(of: text) }
    return found.filter { $0.probability >= threshold && $0.languageCode != "unknown" }
  }
}

/// A closure that receives the tag of a text's language, or an error.
public typealias IdentifyLanguageCallback = (String?, (any Error)?) -> Void
/// A closure that receives the possible languages of a text, or an error.
public typealias IdentifyPossibleLanguagesCallback = ([IdentifiedLanguage]?, (any Error)?) -> Void

/// A possible language of a text.
public final class IdentifiedLanguage: NSObject, Sendable {
  /// The BCP 47 tag of the language, such as `en` or `zh-Latn`.
  public let languageTag: String
  /// The confidence, 0…1.
  public let confidence: Float

  init(languageTag: String, confidence: Float) {
    self.languageTag = languageTag
    self.confidence = confidence
  }
}

/// The options of language identification.
///
/// An object copies the values when it is created; later changes have no effect on it.
open class LanguageIdentificationOptions: NSObject {
  /// The minimum confidence, 0…1. Languages with a lower confidence are not reported.
  public var confidenceThreshold: Float { threshold ?? 0.5 }
  /// The given threshold; `nil` for ML Kit's defaults.
  let threshold: Float?

  // MARK: Additions to ML Kit's options

  /// The language detection model. `nil` for ``LanguageIdentification/defaultModel``.
  open var model: LocalModel?
  /// The maximum number of threads for the model, including the caller's.
  open var threadCount = 1
  /// The queue on which completion handlers are called. A command-line program that does not run its main queue must
  /// specify another one.
  open var completionQueue = DispatchQueue.main

  /// Creates options with a threshold. Values outside of 0…1 mean ML Kit's defaults.
  public init(confidenceThreshold: Float) {
    threshold = (0...1).contains(confidenceThreshold) ? confidenceThreshold : nil
  }

  init(threshold: Float?) { self.threshold = threshold }
}
