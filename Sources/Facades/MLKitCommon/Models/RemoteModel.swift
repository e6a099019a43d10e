public import Foundation
import SwiftletBase
public import SwiftletModelStore

// Unchecked because the compiler cannot check a class with subclasses. It and its subclasses, all in this module, have
// constants only.

/// A model that is not part of the app, but is downloaded with a ``ModelManager``.
///
/// - Thread safety: callable concurrently.
public class RemoteModel: NSObject, @unchecked Sendable {
  /// The model's name at its source.
  public let name: String
  private let source: RemoteModelSource

  init(source: RemoteModelSource) {
    name = source.name
    self.source = source
  }

  /// The corresponding model of the model store. This is an addition to ML Kit's API.
  public final var model: SwiftletModelStore.RemoteModel { source.model }
}

/// A custom model from any source.
public final class CustomRemoteModel: RemoteModel, @unchecked Sendable {
  /// Creates a model.
  ///
  /// - Parameter remoteModelSource: The source of the model.
  public init(remoteModelSource: RemoteModelSource) {
    super.init(source: remoteModelSource)
  }
}

/// A source of a remote model.
public class RemoteModelSource: NSObject, @unchecked Sendable {
  /// The model's name.
  public let name: String
  /// The corresponding model of the model store.
  let model: SwiftletModelStore.RemoteModel

  /// Creates a source with only a name. Its downloads fail: use a ``FirebaseModelSource``, or ``init(model:)``.
  ///
  /// - Parameter name: The model's name.
  public convenience init(name: String) {
    self.init(model: SwiftletModelStore.RemoteModel(name: name, source: NoSource()))
  }

  /// Creates a source from a model of the model store, such as a file at a URL. This is an addition to ML Kit's API.
  ///
  /// ```swift
  /// RemoteModelSource(model: .init(name: "birds", url: url, sha256: digest))
  /// ```
  ///
  /// - Parameter model: The model.
  public init(model: SwiftletModelStore.RemoteModel) {
    name = model.name
    self.model = model
  }
}

/// The source of a model with only a name.
private struct NoSource: SwiftletModelStore.RemoteModelSource {
  var identity: String { "none" }

  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    throw ModelStoreError(
      .failedPrecondition,
      "the source of the model '\(query.modelName.excerpt)' is only a name; use a FirebaseModelSource, or RemoteModelSource(model:)"
    )
  }
}

/// A value that is created when it is first used. An error is permanent.
package final class Once<Product: Sendable>: Sendable {
  private enum State: Sendable {
    case untried
    case ready(Product)
    case failed(MLKitError)
  }

  private let state = Mutex(State.untried)
  private let make: @Sendable () throws(MLKitError) -> Product

  package init(_ make: @escaping @Sendable () throws(MLKitError) -> Product) { self.make = make }

  /// The value; `nil` before the first use, and after an error.
  package var made: Product? {
    if case .ready(let product) = state.withLock({ $0 }) { product } else { nil }
  }

  /// Returns the value, and creates it if necessary.
  ///
  /// - Throws: The error of its creation.
  package func product() throws(MLKitError) -> Product {
    let outcome: Result<Product, MLKitError> = state.withLock { state in
      switch state {
      case .ready(let product): return .success(product)
      case .failed(let error): return .failure(error)
      case .untried:
        let outcome = Result { () throws(MLKitError) in try make() }
        switch outcome {
        case .success(let product): state = .ready(product)
        case .failure(let error): state = .failed(error)
        }
        return outcome
      }
    }
    return try outcome.get()
  }
}
