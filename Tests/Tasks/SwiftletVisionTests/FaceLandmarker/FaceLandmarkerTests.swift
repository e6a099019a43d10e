import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face landmarker")
struct FaceLandmarkerTests {
  private let bundle = SyntheticFaceBundle()

  @Test("landmarks of a detected face are in image coordinates")
  func points() throws {
    let faces = try bundle.landmarker().faces(in: SyntheticFaceBundle.image([(8, 4)]))
    try #require(faces.count == 1 && faces[0].landmarks.count == 478)
    // The face's 32 pixels plus a half, of 128.
    let side: Float = 0.375
    for (found, made) in zip(faces[0].landmarks, bundle.points) {
      #expect(abs(found.x - (SyntheticFaceBundle.middle(8) + (made.x - 0.5) * side)) < 1e-5)
      #expect(abs(found.y - (SyntheticFaceBundle.middle(4) + (made.y - 0.5) * side)) < 1e-5)
      #expect(abs(found.z - made.z * side) < 1e-5 && found.visibility == nil && found.presence == nil)
    }
    #expect(faces[0].blendshapes == nil && faces[0].transformationMatrix == nil)
  }

  @Test("the requested number of faces is detected, best first")
  func limit() throws {
    let image = try SyntheticFaceBundle.image([(4, 8), (12, 8), (8, 2)])
    for limit in 1...4 {
      let faces = try bundle.landmarker { $0.maxFaces = limit }.faces(in: image)
      #expect(faces.count == min(limit, 3))
      #expect(faces[0].landmarks[33].x < SyntheticFaceBundle.middle(4))
    }
    #expect(try bundle.landmarker().faces(in: SyntheticFaceBundle.image([])).isEmpty)
  }

  @Test("a region counts as a face if its presence exceeds the threshold")
  func presence() throws {
    let image = try SyntheticFaceBundle.image([(8, 8)])
    // The sigmoid of 0 is one half.
    for (logit, isFace) in [(Float(0), false), (0.01, true), (-3, false), (.nan, false), (.infinity, true)] {
      #expect(try SyntheticFaceBundle(presence: logit).landmarker().faces(in: image).isEmpty != isFace)
    }
    #expect(try SyntheticFaceBundle(presence: 9).landmarker { $0.minPresenceConfidence = 1 }.faces(in: image).isEmpty)
  }

  @Test("invalid landmarks are not a face", arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func hostileNumbers(number: Float) throws {
    var bundle = bundle
    bundle.points[100].y = number
    let video = try bundle.landmarker { $0.outputs.insert(.blendshapes) }.video()
    let image = try SyntheticFaceBundle.image([(8, 8)])
    for time in 0..<3 { #expect(try video.faces(in: image, at: .milliseconds(time)).isEmpty) }
  }

  @Test("blendshapes are computed from 146 landmarks in pixels")
  func blendshapes() throws {
    let landmarker = try bundle.landmarker { $0.outputs.insert(.blendshapes) }
    let face = try #require(try landmarker.faces(in: SyntheticFaceBundle.image([(8, 8)])).first)
    let blendshapes = try #require(face.blendshapes)
    #expect(blendshapes.scores.count == 52)
    for (index, score) in blendshapes.scores.enumerated() {
      let point = face.landmarks[FaceLandmarks.blendshapePoints[index / 2]]
      #expect(abs(score - 128 * (index % 2 == 0 ? point.x : point.y)) < 1e-4)
    }
    #expect(blendshapes[.neutral] == blendshapes.scores[0] && blendshapes[.noseSneerRight] == blendshapes.scores[51])
    #expect(FaceBlendshapes(scores: [Float](repeating: 0, count: 51)) == nil)
    #expect(FaceBlendshapes(scores: [Float](repeating: 0, count: 53)) == nil)
  }

  @Test("a matrix is returned if requested, and the landmarks form a face in space")
  func matrices() throws {
    let image = try SyntheticFaceBundle.image([(8, 8)])
    let landmarker = try bundle.landmarker { $0.outputs.insert(.transformationMatrices) }
    let face = try #require(try landmarker.faces(in: image).first)
    #expect(face.transformationMatrix != nil)
    var flat = bundle
    flat.points = flat.points.map { _ in (0.5, 0.5, 0.5) }
    let pointless = try flat.landmarker { $0.outputs.insert(.transformationMatrices) }
    let none = try #require(try pointless.faces(in: image).first)
    #expect(none.transformationMatrix == nil)
  }
}
