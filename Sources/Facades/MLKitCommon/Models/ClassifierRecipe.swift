import SwiftletBase
import SwiftletModelStore
@_spi(Facades) package import SwiftletTracking
import SwiftletVision

/// What names things, and how: the values that the options of a custom model had.
package struct ClassifierRecipe: Sendable {
  /// The source of the model.
  package enum Source: Sendable {
    case local(LocalModel)
    case remote(CustomRemoteModel)
    /// One that the program has anyway.
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

  /// The classifier's options, and the local model whose file it uses: while that lives, the store does not remove it.
  ///
  /// - Throws: `MLKitError` when there is no such file, the model has not been downloaded, or `threads` is less than 1.
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
  /// - Throws: `MLKitError` when a model would have no thread to run on.
  package static func requireThreads(_ count: Int) throws(MLKitError) {
    guard count > 0 else { throw MLKitError(.invalidArgument, "threadCount must be 1 or more, got \(count)") }
  }
}

extension BaseOptions {
  /// Runs a model that is a file on this device.
  ///
  /// - Throws: `MLKitError` when there is no such file, or the path cannot be used.
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

/// A class that a classifier names, and how sure it is: what labels of objects and of images have in common.
open class ClassLabel: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; it and its subclasses have constants only.

  /// The class's name, in the language asked for where the model has it; empty for models without names.
  public let text: String
  /// The position of the class in the classifier's output.
  public let index: Int
  /// The model's number, neither clamped nor made to add up; usually 0…1.
  public let confidence: Float

  package init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }

  /// Labels of one kind are equal when all of their values are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ClassLabel, type(of: other) == type(of: self) else { return false }
    return text == other.text && index == other.index && confidence == other.confidence
  }

  /// The same for labels that are equal.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(index)
    hasher.combine(confidence)
    return hasher.finalize()
  }
}
