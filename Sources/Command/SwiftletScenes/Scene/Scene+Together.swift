import Dispatch
import SwiftletBase

extension Scene {
  /// Draws several scenes with all processors.
  ///
  /// - Returns: the pictures, in the order of the scenes.
  /// - Throws: `ImageError`, of the first scene that cannot be drawn.
  package static func drawn(_ scenes: [Scene]) throws -> [DrawnScene] {
    let slots = DrawnSlots(count: scenes.count)
    DispatchQueue.concurrentPerform(iterations: scenes.count) { index in
      slots.set(index, Result { try scenes[index].drawn() })
    }
    return try slots.values.map { try $0.get() }
  }
}

/// What several threads have drawn, in the order of the pictures.
private final class DrawnSlots: Sendable {
  private let slots: Mutex<[Result<DrawnScene, any Error>?]>

  init(count: Int) { slots = Mutex(Array(repeating: nil, count: count)) }

  func set(_ index: Int, _ result: Result<DrawnScene, any Error>) { slots.withLock { $0[index] = result } }

  /// All that was set.
  var values: [Result<DrawnScene, any Error>] { slots.withLock { $0.compactMap(\.self) } }
}
