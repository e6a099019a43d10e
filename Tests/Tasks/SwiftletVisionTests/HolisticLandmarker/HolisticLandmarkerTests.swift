import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Holistic landmarker")
struct HolisticLandmarkerTests {
  @Test("a person has a body, hands, and a face")
  func person() throws {
    let found = try #require(try SyntheticPerson().landmarker().person(in: SyntheticPoseModels.image()))
    let pose = found.pose
    #expect(pose.landmarks.count == 33 && pose.segmentationMask?.width == 100)
    let face = try #require(found.face)
    #expect(face.landmarks.count == 478 && face.blendshapes?.scores.count == 52 && face.transformationMatrix == nil)
    let (left, right) = (try #require(found.leftHand), try #require(found.rightHand))
    #expect(left.landmarks.count == 21 && right.landmarks.count == 21)
    // The person's left hand is on the right of the image.
    #expect(left.landmarks[9].x > 0.6 && right.landmarks[9].x < 0.4)
    // The hand's wrist is the pose's.
    let wrist = pose.worldLandmarks[15]
    let hand = left.worldLandmarks[0]
    #expect(abs(hand.x - wrist.x) < 1e-6 && abs(hand.y - wrist.y) < 1e-6 && abs(hand.z - wrist.z) < 1e-6)
    #expect(left.worldLandmarks[8] != hand)
  }

  @Test("without a body, the result is empty")
  func nobody() throws {
    var person = SyntheticPerson()
    person.pose.presence = 0.1
    let found = try person.landmarker().person(in: SyntheticPoseModels.image())
    #expect(found == nil)
  }

  @Test("hidden parts are missing individually")
  func parts() throws {
    let image = try SyntheticPoseModels.image()
    var person = SyntheticPerson()
    person.pose.points[15][3] = -5
    var found = try person.landmarker().person(in: image)
    #expect(found != nil && found?.leftHand == nil && found?.rightHand != nil && found?.face != nil)
    person = SyntheticPerson()
    person.handPresence = 0.5
    found = try person.landmarker().person(in: image)
    #expect(found?.leftHand == nil && found?.rightHand == nil && found?.face != nil)
    person = SyntheticPerson()
    person.hasFace = false
    found = try person.landmarker().person(in: image)
    #expect(found?.leftHand != nil && found?.face == nil)
    person = SyntheticPerson()
    person.facePresence = -1
    #expect(try person.landmarker().person(in: image)?.face == nil)
  }

  @Test("images are independent of each other, frames of a video are not")
  func state() throws {
    let image = try SyntheticPoseModels.image()
    var person = SyntheticPerson()
    // Every region is farther to the right than the previous one.
    person.pose.ends = [[20, 16], [20, 4]]
    let forgetful = try person.landmarker()
    #expect(try forgetful.person(in: image) == forgetful.person(in: image))
    let video = forgetful.video()
    let first = try #require(try video.person(in: image, at: .zero)).pose
    let second = try #require(try video.person(in: image, at: .milliseconds(33))).pose
    #expect(second.landmarks[0].x > first.landmarks[0].x && second != first)
  }

  @Test("blendshapes require their model only if requested")
  func blendshapes() throws {
    var person = SyntheticPerson()
    person.hasBlendshapes = false
    #expect(try person.landmarker().person(in: SyntheticPoseModels.image())?.face?.blendshapes == nil)
    let error = taskError { _ = try person.landmarker { $0.outputs.insert(.blendshapes) } }
    #expect(error?.code == .modelNotFound && error?.message.contains("face_blendshapes.tflite") == true)
  }

  @Test("every bundle member must exist and be of the right kind")
  func bundles() {
    let person = SyntheticPerson()
    for index in person.members.indices {
      var members = person.members
      let name = members.remove(at: index).name
      var error = open(members)
      #expect(error?.code == .modelNotFound && error?.message.contains(name) == true, "\(name)")
      members.insert((name, members[(index + 2) % members.count].bytes), at: index)
      error = open(members)
      #expect(error?.code == .invalidModel && error?.message.contains(name) == true, "\(String(describing: error))")
    }
  }

  private func open(_ members: [(name: String, bytes: [UInt8])]) -> TaskError? {
    taskError {
      _ = try HolisticLandmarker(
        options: HolisticLandmarkerOptions(
          baseOptions: SyntheticPoseModels.base(SyntheticPoseModels.bundle(members)), outputs: .blendshapes))
    }
  }

  @Test("options have ranges")
  func options() {
    let fields: [(String, WritableKeyPath<HolisticLandmarkerOptions, Float>)] = [
      ("minFaceDetectionConfidence", \.minFaceDetectionConfidence),
      ("minFaceSuppressionThreshold", \.minFaceSuppressionThreshold),
      ("minFacePresenceConfidence", \.minFacePresenceConfidence),
      ("minPoseDetectionConfidence", \.minPoseDetectionConfidence),
      ("minPoseSuppressionThreshold", \.minPoseSuppressionThreshold),
      ("minPosePresenceConfidence", \.minPosePresenceConfidence),
      ("minHandLandmarksConfidence", \.minHandLandmarksConfidence),
    ]
    for (name, field) in fields {
      for value in [-0.1, 1.1, Float.nan] {
        let error = taskError { _ = try SyntheticPerson().landmarker { $0[keyPath: field] = value } }
        #expect(error?.code == .invalidOption && error?.message.contains(name) == true)
      }
    }
  }

  @Test(
    "any output value is handled without a crash",
    arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e30, 1e10])
  func numbers(value: Float) throws {
    let image = try SyntheticPoseModels.image()
    var person = SyntheticPerson()
    person.handEnds = [value, 0.5, 0.5, value]
    let video = try person.landmarker().video()
    for time in 0..<3 { #expect(try video.person(in: image, at: .milliseconds(time))?.leftHand == nil) }
    person = SyntheticPerson()
    for point in [2, 5, 15, 17, 20] { person.pose.points[point] = [value, value, value, 5, value] }
    let other = try person.landmarker().video()
    for time in 0..<3 { _ = try other.person(in: image, at: .milliseconds(time)) }
  }
}
