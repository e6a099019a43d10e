import SwiftletBase
import SwiftletEngine

/// The models that the pipelines of one task run from: read, verified and compiled once if there are several pipelines.
///
/// - Thread safety: callable concurrently.
package final class ModelSharing: Sendable {
  private struct Key: Hashable {
    var source: ModelSource
    var options: RuntimeOptions
    var unreadOutputs: Set<Int>
  }

  private let models = Mutex<[ModelSource: Model]>([:])
  private let compiled = Mutex<[Key: CompiledModel]>([:])
  private let isForSeveral: Bool
  private let stateful = Mutex(false)

  /// - Parameter isForSeveral: Whether another pipeline may need the models again. If not, nothing is kept of them.
  package init(isForSeveral: Bool = true) { self.isForSeveral = isForSeveral }

  /// Whether a run of one of the models leaves something for the next one.
  var keepsState: Bool { stateful.withLock { $0 } }

  func model(_ source: ModelSource, load: () throws(TaskError) -> Model) throws(TaskError) -> Model {
    // Looking a source up hashes its bytes.
    guard isForSeveral else { return try load() }
    if let model = models.withLock({ $0[source] }) { return model }
    let model = try load()
    models.withLock { $0[source] = model }
    return model
  }

  func compiled(
    _ source: ModelSource, _ options: RuntimeOptions, _ unreadOutputs: Set<Int>, compile: () throws -> CompiledModel
  ) throws -> CompiledModel {
    guard isForSeveral else { return noted(try compile()) }
    let key = Key(source: source, options: options, unreadOutputs: unreadOutputs)
    if let model = compiled.withLock({ $0[key] }) { return model }
    let model = noted(try compile())
    compiled.withLock { $0[key] = model }
    return model
  }

  private func noted(_ model: CompiledModel) -> CompiledModel {
    if model.keepsState { stateful.withLock { $0 = true } }
    return model
  }
}
