import SwiftletBase
import SwiftletModelStore
@_spi(Facades) package import SwiftletTracking
import SwiftletVision

/// A snapshot of the options for a classifier.
package struct ClassifierRecipe: Sendable {
  /// The source of the model.
  package enum Source: Sendable {
    case local(LocalModel)
    case remote(CustomRemoteModel)
    /// A model that is embedded in the program.
    case builtIn(ModelSource)
  }

  package var source: Source
  package var modelManager = ModelManager.modelManager()
  package var confidenceThreshold: Float?
  package var maxLabelCount = ObjectClassifierOptions.defaultMaxLabelCount
  package var inputNormalization: InputNormalization?
  package var labels: [String]?
  package var locale = "en"
  package var cropMargin = 0.0

  package init(source: Source) { self.source = source }

  /// Returns the classifier's options, and the local model whose file it uses. As long as the local model exists, the
  /// store does not remove the file.
  ///
  /// - Throws: `MLKitError` if there is no such file, the model has not been downloaded, or `threads` is less than 1.
  package func options(threads: Int) throws(MLKitError) -> (ObjectClassifierOptions, LocalModel?) {
    try MLKitError.requireThreads(threads)
    let model = try localModel()
    let base: BaseOptions
    switch source {
    case .builtIn(let source): base = BaseOptions(model: source, threads: threads)
    case .local, .remote:
      guard let model else { throw MLKitError(.internalError, "the classifier has no model") }
      base = try BaseOptions(model, threads: threads)
    }
    var options = ObjectClassifierOptions(
      baseOptions: base, labels: labels, locale: locale, confidenceThreshold: confidenceThreshold,
      maxLabelCount: maxLabelCount, cropMargin: cropMargin)
    options.baseOptions.inputNormalization = inputNormalization
    options.labelsOfUnlabeledModel = model?.labels
    return (options, model)
  }

  private func localModel() throws(MLKitError) -> LocalModel? {
    switch source {
    case .builtIn: return nil
    case .local(let model): return model
    case .remote(let model):
      do {
        return try modelManager.localModel(for: model)
      } catch {
        guard error.code == .modelNotDownloaded else { throw MLKitError(.internalError, error.message) }
        throw .modelNotDownloaded(name: model.name)
      }
    }
  }
}

extension MLKitError {
  /// Returns the error for an object without a model.
  ///
  /// - Parameters:
  ///   - user: The object, such as `a pose detector`.
  ///   - property: The property that sets the model of all such objects.
  ///   - published: The name of a published model in the catalog.
  package static func missingModel(of user: String, property: String, published: String) -> MLKitError {
    MLKitError(
      .notFound,
      "\(user) needs a model: set \(property), or model in the options, to MediaPipe's '\(published)' ('swiftlet models fetch \(published)' downloads it)"
    )
  }

  /// Checks the number of threads.
  ///
  /// - Throws: `MLKitError` if the number is less than 1.
  package static func requireThreads(_ count: Int) throws(MLKitError) {
    guard count > 0 else { throw MLKitError(.invalidArgument, "threadCount must be 1 or more, got \(count)") }
  }
}

extension BaseOptions {
  /// Creates options for a model that is a file on this device.
  ///
  /// - Throws: `MLKitError` if there is no such file, or the path is invalid.
  package init(_ model: LocalModel, threads: Int) throws(MLKitError) {
    do {
      self.init(model: .file(try model.checkedPath()), threads: threads)
    } catch {
      switch error.code {
      case .modelNotFound: throw .modelNotFound(path: model.path)
      case .invalidArgument:
        throw MLKitError(.invalidArgument, "the path '\(model.path.excerpt)' cannot be used: \(error.message)")
      default: throw MLKitError(.internalError, error.message)
      }
    }
  }
}

/// A class with its confidence, the common base class of object labels and image labels.
open class ClassLabel: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class; it and its subclasses have constants only.

  /// The class name, in the requested locale if the model has it; empty for models without labels.
  public let text: String
  /// The index of the class in the classifier's output.
  public let index: Int
  /// The output of the model, usually 0…1. It is not clamped or normalized.
  public let confidence: Float

  package init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }

  /// Returns whether both labels have the same class and equal values.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ClassLabel, type(of: other) == type(of: self) else { return false }
    return text == other.text && index == other.index && confidence == other.confidence
  }

  /// A hash that is the same for equal labels.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(index)
    hasher.combine(confidence)
    return hasher.finalize()
  }
}
