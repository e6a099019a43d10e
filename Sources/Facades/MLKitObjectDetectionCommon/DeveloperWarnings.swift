import Foundation
import SwiftletBase

/// Warnings for developers, in addition to errors. Each is reported once.
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

  /// The maximum number of detectors within ``period`` that cause no warning.
  private static let usual = 3
  private static let period = Duration.seconds(1)
  private static let state = Mutex(State())

  /// The handler of warnings. The default handler writes to standard error. Setting a handler clears the record of
  /// warnings that were reported.
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
      // A warning without a handler is not recorded, so that a later handler receives it.
      state.handler.flatMap { state.given.insert(topic).inserted ? $0 : nil }
    }
    handler?(text)
  }

  /// Counts a new stream detector, and warns if one is created for every frame, which loses all tracking.
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

  /// Warns that the bundled model detects the objects.
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
