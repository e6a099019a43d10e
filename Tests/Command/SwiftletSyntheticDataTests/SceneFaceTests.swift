import SwiftletImage
import Testing

@testable import SwiftletSyntheticData

@Suite("Scene with faces")
struct SceneFaceTests {
  private static func scene(_ number: Int, side: Int = 64) -> Scene {
    Scene(.face, seed: 9, number: number, width: side, height: side)
  }

  @Test("has up to four faces, and none in about one of seven images")
  func counts() {
    let counts = (0..<800).map { Self.scene($0).faces.count }
    #expect(Set(counts) == Set(0...4))
    let empty = Double(counts.count { $0 == 0 }) / 800
    #expect(empty > 0.1 && empty < 0.25)
  }

  @Test("faces are small and large")
  func sizes() {
    let heights = (0..<400).flatMap { number in
      let scene = Self.scene(number)
      return scene.faces.map { face in
        let box = face.label(width: 64, height: 64).box
        return box.bottom - box.top
      }
    }
    #expect((heights.min() ?? 1) < 0.17 && (heights.max() ?? 0) > 0.7)
    #expect(heights.allSatisfy { $0 > 0.1 && $0 < 1 })
  }

  @Test("boxes are square, mostly in the image, and disjoint")
  func boxes() {
    for number in 0..<300 {
      let boxes = Self.scene(number).faces.map { $0.label(width: 64, height: 64).box }
      for (index, box) in boxes.enumerated() {
        let side = box.right - box.left
        #expect(abs(side - (box.bottom - box.top)) < 1e-4)
        #expect(
          box.left > -0.13 * side && box.top > -0.13 * side && box.right < 1 + 0.13 * side
            && box.bottom < 1 + 0.13 * side)
        for other in boxes[..<index] { #expect(box.isApart(from: other)) }
      }
    }
  }

  @Test("keypoints are in the face's box, except for the ears, in the person's order")
  func keyPoints() {
    var upright = 0
    for number in 0..<300 {
      for face in Self.scene(number).faces {
        let label = face.label(width: 64, height: 64)
        let side = label.box.right - label.box.left
        #expect(label.keyPoints.count == 6)
        for (index, point) in label.keyPoints.enumerated() {
          let margin = index < 4 ? 0.02 * side : 0.4 * side
          #expect(point.x > label.box.left - margin && point.x < label.box.right + margin)
          #expect(point.y > label.box.top - margin && point.y < label.box.bottom + margin)
        }
        guard abs(face.roll) < 0.5 else { continue }
        upright += 1
        #expect(label.keyPoints[0].x < label.keyPoints[1].x && label.keyPoints[4].x < label.keyPoints[5].x)
        #expect(label.keyPoints[3].y > label.keyPoints[0].y && label.keyPoints[3].y > label.keyPoints[1].y)
      }
    }
    #expect(upright > 100)
  }

  @Test("eyes, mouth, and face are painted at their labels")
  func labelsAreWhereThingsAre() throws {
    var generator = SplitMix64(state: 12)
    var scene = Self.scene(0, side: 128).withoutCameraFaults()
    (scene.decoys, scene.covers, scene.objects) = ([], [], [])
    for _ in 0..<4 {
      var face = SceneFace(&generator)
      while face.glasses != .none || face.eyeOpening < 0.05 { face = SceneFace(&generator) }
      (face.centerX, face.centerY, face.size) = (0.5, 0.5, 0.4)
      let label = face.label(width: 128, height: 128)
      let eyes = try Self.changed(scene, face) { $0.irisTint = Tint(1, 0, 1) }
      #expect(abs(eyes.x - (label.keyPoints[0].x + label.keyPoints[1].x) / 2) < 0.05)
      #expect(abs(eyes.y - (label.keyPoints[0].y + label.keyPoints[1].y) / 2) < 0.05)
      let mouth = try Self.changed(scene, face) { $0.lipTint = Tint(1, 0, 1) }
      #expect(abs(mouth.x - label.keyPoints[3].x) < 0.05 && abs(mouth.y - label.keyPoints[3].y) < 0.05)
    }
  }

  /// Returns the center of the pixels that change with a face, relative to the image.
  private static func changed(_ scene: Scene, _ face: SceneFace, _ change: (inout SceneFace) -> Void) throws -> (
    x: Float, y: Float
  ) {
    var (before, after) = (scene, scene)
    before.faces = [face]
    after.faces = [face]
    change(&after.faces[0])
    let first = try before.drawn().image.packedBytes()
    let second = try after.drawn().image.packedBytes()
    var (across, down, count) = (0, 0, 0)
    for pixel in 0..<(128 * 128) where first[3 * pixel + 1] != second[3 * pixel + 1] {
      across += pixel % 128
      down += pixel / 128
      count += 1
    }
    try #require(count > 10)
    return (Float(across) / Float(count) / 128, Float(down) / Float(count) / 128)
  }
}
