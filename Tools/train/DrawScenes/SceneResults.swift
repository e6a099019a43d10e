import SwiftletScenes
import Synchronization

/// What several threads have drawn, in the order of the pictures.
final class SceneResults: Sendable {
  private let slots: Mutex<[Result<DrawnScene, any Error>?]>

  init(count: Int) { slots = Mutex(Array(repeating: nil, count: count)) }

  func set(_ index: Int, _ result: Result<DrawnScene, any Error>) { slots.withLock { $0[index] = result } }

  /// All that was set.
  var values: [Result<DrawnScene, any Error>] { slots.withLock { $0.compactMap(\.self) } }
}
