import SwiftletImage
import SwiftletTasks

/// The second model of a landmark task. It finds the subject in a region, and updates the region from frame to frame.
///
/// There is a model of this kind for hands, faces, poses, and the body of the holistic task.
protocol LandmarkModel: AnyObject {
  /// The result of the model for a region, such as a hand.
  associatedtype Subject
  associatedtype Smoother: SubjectSmoother

  /// Returns the subject in a region of an image, and the region in which it is expected in the next frame; `nil` if
  /// the model detects nothing there. The next region is computed from landmarks before smoothing.
  func sighting(in region: NormalizedRect, of image: InputImage, _ geometry: RegionGeometry)
    throws -> (subject: Subject, next: NormalizedRect)?

  /// Returns whether two results in one image are the same subject.
  func areSame(_ one: Subject, _ other: Subject, _ geometry: RegionGeometry) -> Bool

  /// Smooths a subject over the frames of a video, and updates its next region.
  ///
  /// - Parameters:
  ///   - next: The region in which the subject is expected in the next frame.
  ///   - smoother: The smoother of the subject; `nil` if nothing is smoothed.
  /// - Returns: The updated region for the next frame; `nil` if the subject cannot be tracked.
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
  /// Creates a smoother without history.
  init()

  /// Records that the subject is not in the frame.
  mutating func lose()
}

/// The steps of a landmark task: detect regions, run the landmark model on each, and track the subjects.
///
/// The detector runs only if fewer subjects are tracked than requested. In still images, nothing is tracked.
///
/// - Thread safety: one caller at a time.
///
/// - Source: MediaPipe's landmark tasks.
final class LandmarkChain<Model: LandmarkModel> {
  /// The state that a frame passes on to the next frame.
  struct Memory: FrameMemory {
    fileprivate var follower: RegionTracker
    fileprivate var smoothers: Smoothers<Model.Smoother>

    mutating func assign(_ other: Memory) {
      follower.assign(other.follower)
      smoothers.assign(other.smoothers)
    }
  }

  /// The rules that select the subjects of an image.
  struct Rules: Sendable {
    /// The maximum number of subjects.
    var limit: Int
    /// The intersection over union above which two regions belong to the same subject.
    var overlapThreshold: Float
    var preference: RegionTracker.Preference
    var smooths: Bool
  }

  let finder: RegionDetector
  let model: Model
  private let rules: Rules
  private let charge: () throws -> Void
  /// The tracker for still images. It tracks nothing and accepts all detected regions.
  private var stillFollower: RegionTracker
  /// For each subject of the current frame, its index in the previous frame; `nil` for a new subject. This array and
  /// the next two are reused from frame to frame.
  private var identities: [Int?] = []
  private var expected: [NormalizedRect] = []
  private var nextRegions: [NormalizedRect] = []

  /// Creates a chain.
  ///
  /// - Parameter charge: Charges a subject that is about to be returned.
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

  /// Appends the subjects of a still image, best first.
  func find(in image: InputImage, _ geometry: RegionGeometry, into subjects: inout [Model.Subject]) throws {
    try look(at: try stillFollower.regions { try finder.regions(in: image) }, image, geometry, &subjects)
  }

  /// Appends the subjects of the next frame of a video: tracked ones first.
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

/// The smoothers of the tracked subjects.
///
/// For each frame, call ``smooth(_:_:)`` for every subject in order, and then ``endFrame()``.
struct Smoothers<Smoother: SubjectSmoother>: FrameMemory {
  /// Whether there is at most one subject. It then has the same smoother throughout, even after it was lost.
  private let isSingle: Bool
  /// The smoothers of the subjects in the previous frame.
  private var known: [Smoother] = []
  /// The smoothers of the subjects in the current frame.
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
  ///   - identity: The index of the subject in the previous frame; `nil` for a new subject.
  ///   - body: Returns whether to keep tracking the subject.
  mutating func smooth(_ identity: Int?, _ body: (inout Smoother) -> Bool) {
    var smoother = Smoother()
    let index = isSingle ? 0 : identity
    // Swap the smoother out of the array, so that its storage is not copied.
    if let index, known.indices.contains(index) { swap(&smoother, &known[index]) }
    if body(&smoother) { current.append(smoother) } else if isSingle { swap(&smoother, &known[0]) }
  }

  /// Discards the smoothers of subjects that were not in this frame.
  mutating func endFrame() {
    if isSingle, current.isEmpty {
      known[0].lose()
      return
    }
    swap(&known, &current)
    current.removeAll(keepingCapacity: true)
  }
}
