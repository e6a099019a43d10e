import Foundation
import SwiftletBase

/// What developers are told besides errors, each thing once.
enum DeveloperWarnings {
  typealias Handler = @Sendable (String) -> Void

  private enum Topic: Sendable, Hashable {
    case manyStreamDetectors
    case syntheticLocalizer
  }

  private struct State {
    var births: [ContinuousClock.Instant] = []
    var given: Set<Topic> = []
    var handler: Handler? = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
  }

  /// Up to this many detectors within ``period`` cause no warning.
  private static let usual = 3
  private static let period = Duration.seconds(1)
  private static let state = Mutex(State())

  /// Gets each warning; writes it to the standard error output unless another one is set. Setting it forgets which
  /// warnings were given.
  static var handler: Handler? {
    get { state.withLock { $0.handler } }
    set {
      state.withLock { state in
        state.handler = newValue
        state.given = []
      }
    }
  }

  private static func warn(of topic: Topic, _ text: String) {
    let handler = state.withLock { state in
      // What nobody is told is told to the next handler.
      state.handler.flatMap { state.given.insert(topic).inserted ? $0 : nil }
    }
    handler?(text)
  }

  /// Counts a new detector of a stream, and warns if a detector is made for every frame, which loses all tracking.
  static func countStreamDetector() {
    let count = state.withLock { state in
      let now = ContinuousClock.now
      state.births = state.births.filter { now - $0 < period } + [now]
      return state.births.count
    }
    guard count > usual else { return }
    warn(
      of: .manyStreamDetectors,
      "more than \(usual) stream detectors were made within a second; make one and keep it, or objects get new IDs with every detector"
    )
  }

  /// Warns that objects are found by the bundled model.
  static func warnOfSyntheticLocalizer() {
    warn(
      of: .syntheticLocalizer,
      """
      no localizer model is set, so the bundled one finds the objects; it was trained on synthetic images and must not \
      be relied on for photos. For photos set an object detection model once, such as the published \
      'mobile-object-localizer' ('swiftlet models fetch mobile-object-localizer', or ModelCatalog of \
      SwiftletModelStore): ObjectDetector.defaultLocalizerModel = LocalModel(path: path)
      """)
  }
}
