import SwiftletBase

/// What is made at its first use; a failure is final.
package final class Once<Product: Sendable>: Sendable {
  private enum State: Sendable {
    case untried
    case ready(Product)
    case failed(MLKitError)
  }

  private let state = Mutex(State.untried)
  private let make: @Sendable () throws(MLKitError) -> Product

  package init(_ make: @escaping @Sendable () throws(MLKitError) -> Product) { self.make = make }

  /// What has been made; `nil` before the first use, and after a failure.
  package var made: Product? {
    if case .ready(let product) = state.withLock({ $0 }) { product } else { nil }
  }

  /// What is made, now or before.
  ///
  /// - Throws: what making it threw.
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
