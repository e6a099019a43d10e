import SwiftletBase
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

/// Checks that a frame that fails changes neither the clock of its session nor the tracking state.
@Suite("Failing frames")
struct FailedFrameTests {
  /// Expects that a session continues after failed frames as if they had never been sent.
  private func expectUnchanged<Task: VisionTask>(
    _ task: Task, frames: [InputImage], _ failing: InputImage, sourceLocation: SourceLocation = #_sourceLocation
  ) throws where Task.Output: Equatable {
    let (disturbed, undisturbed) = (task.video(), task.video())
    var outputs: [Task.Output] = []
    for (index, frame) in frames.enumerated() {
      let time = Duration.milliseconds(33 * index)
      let expected = try undisturbed.output(for: frame, region: nil, at: time)
      outputs.append(expected)
      // An expired deadline, and a timestamp that isn't later.
      let late: TaskError? = CallContext(timeout: .zero - .seconds(1)).carry {
        thrownError { try disturbed.output(for: failing, region: nil, at: time) }
      }
      #expect(late?.code == .deadlineExceeded, sourceLocation: sourceLocation)
      #expect(try disturbed.output(for: frame, region: nil, at: time) == expected, sourceLocation: sourceLocation)
      let early: TaskError? = thrownError { try disturbed.output(for: failing, region: nil, at: time) }
      #expect(early?.code == .timeNotIncreasing, sourceLocation: sourceLocation)
    }
    // The frames are chosen so that tracking has an effect.
    #expect(outputs[1] != outputs[0], sourceLocation: sourceLocation)
  }

  @Test("keep the tracked hands and gestures")
  func hands() throws {
    let (full, empty) = (try SyntheticHands.image([8: SyntheticHands.palm()]), try SyntheticHands.image([:]))
    let other = try SyntheticHands.image([0: SyntheticHands.palm(side: 2)])
    try expectUnchanged(
      try SyntheticHands.landmarker { ($0.maxHands, $0.smoothing) = (2, .all) }, frames: [full, empty, empty], other)
    try expectUnchanged(
      try SyntheticGestures.recognizer { ($0.maxHands, $0.smoothing) = (2, .all) }, frames: [full, empty, empty], other)
  }

  @Test("keep the tracked faces")
  func faces() throws {
    let (face, empty) = (try SyntheticFaceBundle.image([(8, 8)]), try SyntheticFaceBundle.image([]))
    let other = try SyntheticFaceBundle.image([(4, 4)])
    try expectUnchanged(
      try SyntheticFaceBundle().landmarker { $0.smoothing = .all }, frames: [face, empty, empty], other)
  }

  @Test("keep the tracked poses and the smoothed masks")
  func poses() throws {
    var models = SyntheticPoseModels()
    models.ends = [[24, 16], [24, 8]]
    models.maskLogits = [Float](repeating: 0, count: 64)
    let image = try SyntheticPoseModels.image()
    let landmarker = try models.landmarker { ($0.smoothing, $0.outputs) = (.all, .segmentationMasks) }
    try expectUnchanged(landmarker, frames: [image, image, image], try SyntheticPoseModels.image(50, 80))
  }

  @Test("keep the tracked person")
  func people() throws {
    var person = SyntheticPerson()
    person.pose.ends = [[20, 16], [20, 4]]
    let image = try SyntheticPoseModels.image()
    try expectUnchanged(
      try person.landmarker { $0.outputs = .segmentationMask }, frames: [image, image, image],
      try SyntheticPoseModels.image(50, 80))
  }
}
