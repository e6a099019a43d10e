import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Landmarks and connections of hands")
struct HandLandmarksTests {
  @Test("every connection joins neighbors of a hand with 21 landmarks, and no landmark is missing")
  func connections() {
    #expect(HandLandmarks.Point.allCases.count == HandLandmarks.count)
    #expect(HandLandmarks.connections.count == 21)
    #expect(Set(HandLandmarks.connections).count == 21)
    #expect(Set(HandLandmarks.connections.flatMap { [$0.start, $0.end] }) == Set(0..<21))
    #expect(HandLandmarks.Point.pinkyTip.rawValue == 20 && HandLandmarks.Point.indexFingerMCP.rawValue == 5)
  }

  @Test("are MediaPipe's", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
  func lists() throws {
    let lists = try GoldenValue(path: TestData.path("tasks/lists.json"))
    let golden = lists["HandLandmarksConnections"]
    let ours = [
      "HAND_CONNECTIONS": HandLandmarks.connections, "HAND_PALM_CONNECTIONS": HandLandmarks.palm,
      "HAND_THUMB_CONNECTIONS": HandLandmarks.thumb, "HAND_INDEX_FINGER_CONNECTIONS": HandLandmarks.indexFinger,
      "HAND_MIDDLE_FINGER_CONNECTIONS": HandLandmarks.middleFinger,
      "HAND_RING_FINGER_CONNECTIONS": HandLandmarks.ringFinger, "HAND_PINKY_FINGER_CONNECTIONS": HandLandmarks.pinky,
    ]
    #expect(golden.keys == ours.keys.sorted())
    for (name, connections) in ours {
      #expect(
        golden[name].elements.map { LandmarkConnection(start: $0[0].int ?? -1, end: $0[1].int ?? -1) } == connections,
        "\(name)")
    }
    let names = lists["hand_landmarks"].elements.compactMap(\.string)
    let points = HandLandmarks.Point.allCases.map { "\($0)".lowercased().replacing("finger", with: "") }
    #expect(names.map { $0.replacing("_", with: "") } == points)
  }
}
