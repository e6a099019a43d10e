import SwiftletImage
import SwiftletTasks

/// The second model of a landmark task: what it sees in a region, and how that is followed from frame to frame.
///
/// Hands, faces, poses, and the body of the holistic task are such models.
protocol LandmarkModel: AnyObject {
  /// What the model sees in a region, such as a hand.
  associatedtype Subject
  associatedtype Smoother: SubjectSmoother

  /// Returns the subject in a region of an image, and the region in which it is expected in the next frame; `nil` if the
  /// model sees nothing there. The next region comes from landmarks that are not smoothed.
  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry)
    throws -> (subject: Subject, next: NormalizedRect)?

  /// Returns whether two subjects of one image are the same thing.
  func areSame(_ one: Subject, _ other: Subject, _ geometry: RegionGeometry) -> Bool

  /// Smooths a subject over the frames of a video.
  ///
  /// - Parameters:
  ///   - next: The region in which the subject is expected in the next frame.
  ///   - smoother: The smoother of the subject; `nil` if nothing is smoothed.
  /// - Returns: The region in which the subject is expected after all; `nil` if it cannot be followed.
  func follow(
    _ subject: inout Subject, next: NormalizedRect, _ smoother: inout Smoother, _ geometry: RegionGeometry,
    at time: Duration, smooths: Bool
  ) -> NormalizedRect?
}

extension LandmarkModel {
  func areSame(_ one: Subject, _ other: Subject, _ geometry: RegionGeometry) -> Bool { false }
}

/// The smoother of one subject.
protocol SubjectSmoother: FrameMemory {
  /// Creates a smoother that has seen nothing.
  init()

  /// Notes that the subject is not in the frame.
  mutating func lose()
}

/// A landmark task from an image to its subjects: detect regions, run the landmark model on each, track.
///
/// The detector runs only if fewer subjects are tracked than requested. In still images nothing is tracked.
///
/// One caller at a time.
///
/// - Source: MediaPipe's landmark tasks.
final class LandmarkChain<Model: LandmarkModel> {
  /// The state that a frame leaves for the next frame.
  struct Memory: FrameMemory {
    fileprivate var follower: RegionTracker
    fileprivate var smoothers: Smoothers<Model.Smoother>

    mutating func assign(_ other: Memory) {
      follower.assign(other.follower)
      smoothers.assign(other.smoothers)
    }
  }

  /// The subjects of an image, of which a task has as many as its options say.
  struct Rules: Sendable {
    /// The maximum number of subjects.
    var limit: Int
    /// Regions that overlap by more belong to one subject; intersection over union.
    var overlapThreshold: Float
    var preference: RegionTracker.Preference
    var smooths: Bool
  }

  let finder: RegionDetector
  let model: Model
  private let rules: Rules
  private let charge: () throws -> Void
  /// Nothing is tracked in still images, and regions are taken as they are detected.
  private var stillFollower: RegionTracker
  /// Of the subjects of the current frame: the subject of the frame before, and the region of the next frame. Their memory
  /// is used for frame after frame.
  private var identities: [Int?] = []
  private var expected: [NormalizedRect] = []
  private var nextRegions: [NormalizedRect] = []

  /// Creates a chain.
  ///
  /// - Parameter charge: Counts a subject that is about to be returned.
  init(_ finder: RegionDetector, _ model: Model, _ rules: Rules, charge: @escaping () throws -> Void) {
    (self.finder, self.model, self.rules, self.charge) = (finder, model, rules, charge)
    stillFollower = RegionTracker(
      limit: rules.limit, overlapThreshold: .infinity, preference: rules.preference)
  }

  func makeMemory() -> Memory {
    Memory(
      follower: RegionTracker(
        limit: rules.limit, overlapThreshold: rules.overlapThreshold, preference: rules.preference),
      smoothers: Smoothers(isSingle: rules.limit == 1))
  }

  /// Returns the subjects of a still image, best first.
  func subjects(in image: InputImage, _ geometry: RegionGeometry) throws -> [Model.Subject] {
    var subjects: [Model.Subject] = []
    try find(in: image, geometry, into: &subjects)
    return subjects
  }

  /// Returns the subjects of the next frame of a video: tracked ones first.
  func subjects(
    in image: InputImage, _ geometry: RegionGeometry, at time: Duration, _ memory: inout Memory
  ) throws -> [Model.Subject] {
    var subjects: [Model.Subject] = []
    try find(in: image, geometry, at: time, &memory, into: &subjects)
    return subjects
  }

  /// Adds the subjects of a still image, best first.
  func find(in image: InputImage, _ geometry: RegionGeometry, into subjects: inout [Model.Subject]) throws {
    try look(at: try stillFollower.regions { try finder.regions(in: image) }, image, geometry, &subjects)
  }

  /// Adds the subjects of the next frame of a video: tracked ones first.
  func find(
    in image: InputImage, _ geometry: RegionGeometry, at time: Duration, _ memory: inout Memory,
    into subjects: inout [Model.Subject]
  ) throws {
    try look(at: try memory.follower.regions { try finder.regions(in: image) }, image, geometry, &subjects)
    nextRegions.removeAll(keepingCapacity: true)
    for index in subjects.indices {
      memory.smoothers.smooth(identities[index]) { smoother in
        let next = model.follow(
          &subjects[index], next: expected[index], &smoother, geometry, at: time, smooths: rules.smooths)
        if let next { nextRegions.append(next) }
        return next != nil
      }
    }
    memory.follower.follow(nextRegions)
    memory.smoothers.endFrame()
  }

  private func look(
    at candidates: [RegionTracker.Candidate], _ image: InputImage, _ geometry: RegionGeometry,
    _ subjects: inout [Model.Subject]
  ) throws {
    subjects.reserveCapacity(candidates.count)
    identities.removeAll(keepingCapacity: true)
    expected.removeAll(keepingCapacity: true)
    for candidate in candidates {
      guard let (subject, next) = try model.sighting(in: candidate.region, of: image, geometry),
        !subjects.contains(where: { model.areSame($0, subject, geometry) })
      else { continue }
      try charge()
      subjects.append(subject)
      identities.append(candidate.identity)
      expected.append(next)
    }
  }
}

/// The smoothers of the subjects that are tracked.
///
/// A frame is ``smooth(_:_:)`` for every subject in order, and then ``endFrame()``.
struct Smoothers<Smoother: SubjectSmoother>: FrameMemory {
  /// Whether there is one subject at most: it then has the same smoother whatever becomes of it.
  private let isSingle: Bool
  /// The smoothers of the last frame's subjects.
  private var known: [Smoother] = []
  /// The smoothers of the current frame's subjects.
  private var current: [Smoother] = []

  init(isSingle: Bool) {
    self.isSingle = isSingle
    if isSingle { known.append(Smoother()) }
  }

  mutating func assign(_ other: Smoothers) {
    if known.count > other.known.count { known.removeSubrange(other.known.count...) }
    while known.count < other.known.count { known.append(Smoother()) }
    for index in known.indices { known[index].assign(other.known[index]) }
  }

  /// Calls `body` with the smoother of a subject.
  ///
  /// - Parameters:
  ///   - identity: The position of the subject among the last frame's subjects; `nil` for a new subject.
  ///   - body: Returns whether the subject is followed on.
  mutating func smooth(_ identity: Int?, _ body: (inout Smoother) -> Bool) {
    var smoother = Smoother()
    let index = isSingle ? 0 : identity
    // Taken out of the list, so that its memory is not copied.
    if let index, known.indices.contains(index) { swap(&smoother, &known[index]) }
    if body(&smoother) { current.append(smoother) } else if isSingle { swap(&smoother, &known[0]) }
  }

  /// Forgets the subjects that were not in this frame.
  mutating func endFrame() {
    if isSingle, current.isEmpty {
      known[0].lose()
      return
    }
    swap(&known, &current)
    current.removeAll(keepingCapacity: true)
  }
}
