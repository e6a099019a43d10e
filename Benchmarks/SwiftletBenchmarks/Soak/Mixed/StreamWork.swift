import SwiftletModels
import SwiftletTestSupport
import SwiftletTracking

/// Tracks objects in a frame of a thread's own stream. A stream ends after 40 frames, and its tracker with it.
final class TrackerWork: SoakWork {
  static let name = "frame of a tracker"
  private let material: SoakMaterial
  private let policy: StreamPolicy
  private var video: ObjectTrackingSession?
  private var count: Int

  init(_ material: SoakMaterial, thread: Int) {
    self.material = material
    policy = thread % 2 == 0 ? .synchronous(every: 2) : .concurrent
    // Different start values keep the threads from creating their trackers at the same time.
    count = thread
  }

  func step(_ generator: inout SplitMix64) throws {
    if count % 40 == 0 { video = nil }
    let video = try video ?? makeSession()
    self.video = video
    let objects = try video.objects(
      in: material.frames[count % material.frames.count], at: .milliseconds(33 * count))
    try Self.expect(objects.count <= 5, "\(objects.count) objects, 5 were asked for")
    count += 1
  }

  private func makeSession() throws -> ObjectTrackingSession {
    try ObjectTracker(
      options: ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: BaseOptions(model: .embedded(.objectDetector))),
        classifier: ObjectClassifierOptions(baseOptions: BaseOptions(model: .embedded(.imageClassifier))),
        allowsMultipleObjects: true, streamPolicy: policy)
    ).video()
  }
}

/// Sends three frames at once through a thread's own live stream, and waits for their results. After 20 times, the task
/// is recreated.
final class LiveStreamWork: SoakWork {
  static let name = "3 frames of a live stream"
  private let material: SoakMaterial
  private var live: LiveSession<FaceDetector>?
  private var log = SoakLog()
  private var sent = 0
  private var count: Int

  init(_ material: SoakMaterial, thread: Int) {
    self.material = material
    count = thread
  }

  func step(_ generator: inout SplitMix64) throws {
    if count % 20 == 0 { live = nil }
    let live = try live ?? makeSession()
    self.live = live
    count += 1
    for _ in 0..<3 {
      try live.send(material.images[sent % material.images.count], at: .milliseconds(sent))
      sent += 1
    }
    try log.wait(for: { sent - live.droppedFrameCount }, name: Self.name)
  }

  private func makeSession() throws -> LiveSession<FaceDetector> {
    let log = SoakLog()
    self.log = log
    sent = 0
    return try FaceDetector(.embedded(.faceDetector)).live { frame in
      switch frame.result {
      case .success: log.add(Int(frame.time / .milliseconds(1)))
      case .failure(let error): log.fail("frame at \(frame.time): \(error)")
      }
    }
  }
}
