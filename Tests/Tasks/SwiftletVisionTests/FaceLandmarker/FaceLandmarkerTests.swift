import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face landmarker")
struct FaceLandmarkerTests {
  private let bundle = MadeUpFaceBundle()

  @Test("points of the region of a detected face are told in the picture")
  func points() throws {
    let faces = try bundle.landmarker().detect(MadeUpFaceBundle.picture([(8, 4)])).faces
    try #require(faces.count == 1 && faces[0].landmarks.count == 478)
    // The face's 32 pixels and a half more, of 128.
    let side: Float = 0.375
    for (found, made) in zip(faces[0].landmarks, bundle.points) {
      #expect(abs(found.x - (MadeUpFaceBundle.middle(8) + (made.x - 0.5) * side)) < 1e-5)
      #expect(abs(found.y - (MadeUpFaceBundle.middle(4) + (made.y - 0.5) * side)) < 1e-5)
      #expect(abs(found.z - made.z * side) < 1e-5 && found.visibility == nil && found.presence == nil)
    }
    #expect(faces[0].blendshapes == nil && faces[0].transformationMatrix == nil && faces[0][.jawOpen] == nil)
  }

  @Test("as many faces are found as asked for, best first")
  func limit() throws {
    let picture = try MadeUpFaceBundle.picture([(4, 8), (12, 8), (8, 2)])
    for limit in 1...4 {
      let faces = try bundle.landmarker { $0.maxFaces = limit }.detect(picture).faces
      #expect(faces.count == min(limit, 3))
      #expect(faces[0].landmarks[33].x < MadeUpFaceBundle.middle(4))
    }
    #expect(try bundle.landmarker().detect(MadeUpFaceBundle.picture([])).faces.isEmpty)
  }

  @Test("a place counts as a face when its presence is above the threshold")
  func presence() throws {
    let picture = try MadeUpFaceBundle.picture([(8, 8)])
    // The sigmoid of 0 is one half.
    for (logit, isFace) in [(Float(0), false), (0.01, true), (-3, false), (.nan, false), (.infinity, true)] {
      #expect(try MadeUpFaceBundle(presence: logit).landmarker().detect(picture).faces.isEmpty != isFace)
    }
    #expect(try MadeUpFaceBundle(presence: 9).landmarker { $0.minPresenceConfidence = 1 }.detect(picture).faces.isEmpty)
  }

  @Test("points that are none are no face", arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func hostileNumbers(number: Float) throws {
    var bundle = bundle
    bundle.points[100].y = number
    let landmarker = try bundle.landmarker(.video) { $0.outputsBlendshapes = true }
    let picture = try MadeUpFaceBundle.picture([(8, 8)])
    for time in 0..<3 { #expect(try landmarker.detect(picture, at: .milliseconds(time)).faces.isEmpty) }
  }

  @Test("blendshapes are computed from 146 points in pixels, and have their names")
  func blendshapes() throws {
    let landmarker = try bundle.landmarker { $0.outputsBlendshapes = true }
    let face = try #require(try landmarker.detect(MadeUpFaceBundle.picture([(8, 8)])).faces.first)
    let blendshapes = try #require(face.blendshapes)
    #expect(blendshapes.map(\.categoryName) == FaceBlendshape.names && blendshapes.map(\.index) == Array(0..<52))
    for (index, category) in blendshapes.enumerated() {
      let point = face.landmarks[FaceLandmarks.blendshapePoints[index / 2]]
      #expect(abs(category.score - 128 * (index % 2 == 0 ? point.x : point.y)) < 1e-4 && category.displayName == nil)
    }
    #expect(face[.neutral] == blendshapes[0].score && face[.noseSneerRight] == blendshapes[51].score)
  }

  @Test("a matrix is there when it is asked for, and the points are a face in space")
  func matrices() throws {
    let picture = try MadeUpFaceBundle.picture([(8, 8)])
    let landmarker = try bundle.landmarker { $0.outputsTransformationMatrices = true }
    let face = try #require(try landmarker.detect(picture).faces.first)
    #expect(face.transformationMatrix != nil)
    var flat = bundle
    flat.points = flat.points.map { _ in (0.5, 0.5, 0.5) }
    let pointless = try flat.landmarker { $0.outputsTransformationMatrices = true }
    let none = try #require(try pointless.detect(picture).faces.first)
    #expect(none.transformationMatrix == nil)
  }

  @Test("a part of a picture is refused, and the landmarker stays usable")
  func region() throws {
    let landmarker = try bundle.landmarker()
    let picture = try MadeUpFaceBundle.picture([(8, 8)])
    let error = taskError { _ = try landmarker.detect(picture, regionOfInterest: .fullImage) }
    #expect(error?.code == .unsupportedRegion)
    #expect(try landmarker.detect(picture).faces.count == 1)
  }
}
