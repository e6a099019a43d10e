import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face tracking")
struct FaceFollowingTests {
  private let bundle = SyntheticFaceBundle()

  @Test("a tracked face needs no detector, and is lost when its presence is low")
  func following() throws {
    let image = try SyntheticFaceBundle.image([(8, 8)])
    let empty = try SyntheticFaceBundle.image([])
    let video = try bundle.landmarker().video()
    #expect(try video.faces(in: empty, at: .zero).isEmpty)
    #expect(try video.faces(in: image, at: .milliseconds(1)).count == 1)
    #expect(try video.faces(in: empty, at: .milliseconds(2)).count == 1)
    #expect(try bundle.landmarker().faces(in: empty).isEmpty)
  }

  @Test("the next region covers the landmarks, half as large again, and is aligned with the eyes")
  func nextRegion() throws {
    let video = try bundle.landmarker { $0.smoothing = .off }.video()
    let first = try video.faces(in: SyntheticFaceBundle.image([(8, 8)]), at: .zero)[0].landmarks
    let second = try video.faces(in: SyntheticFaceBundle.image([]), at: .milliseconds(1))[0].landmarks
    let (low, high) = (first.map(\.x).min() ?? 0, first.map(\.x).max() ?? 0)
    let side = 1.5 * (high - low)
    for (found, made) in zip(second, bundle.points) {
      #expect(abs(found.x - ((low + high) / 2 + (made.x - 0.5) * side)) < 1e-4)
      #expect(abs(found.z - made.z * side) < 1e-4)
    }
  }

  @Test(
    "landmarks are smoothed if requested", arguments: [LandmarkSmoothing.off, .single, .all], [1, 2])
  func smoothing(_ smoothing: LandmarkSmoothing, limit: Int) throws {
    func landmarks(_ smoothing: LandmarkSmoothing) throws -> [NormalizedLandmark] {
      let video = try bundle.landmarker {
        $0.maxFaces = limit
        $0.smoothing = smoothing
      }.video()
      let cells = Array([(column: 4, row: 8), (column: 12, row: 8)].prefix(limit))
      let first = try video.faces(in: SyntheticFaceBundle.image(cells), at: .zero)
      let second = try video.faces(in: SyntheticFaceBundle.image([]), at: .milliseconds(1))
      #expect(first.count == limit && second.count == limit)
      return second.last?.landmarks ?? []
    }
    let isSmoothed = smoothing == .all || smoothing == .single && limit == 1
    #expect(try (landmarks(smoothing) != landmarks(.off)) == isSmoothed)
  }

  @Test("a face that returns is not smoothed with its earlier landmarks")
  func comingBack() throws {
    let bundle = SyntheticFaceBundle(landmarkModel: SyntheticFaceBundle.seeing)
    let (left, right) = ([(column: 4, row: 12)], [(column: 12, row: 12)])
    let expected = try bundle.landmarker().video().faces(
      in: SyntheticFaceBundle.image(right, brightness: 3), at: .zero)
    let video = try bundle.landmarker().video()
    #expect(try video.faces(in: SyntheticFaceBundle.image(left, brightness: 3), at: .zero).count == 1)
    #expect(try video.faces(in: SyntheticFaceBundle.image(left), at: .milliseconds(1)).isEmpty)
    #expect(try video.faces(in: SyntheticFaceBundle.image(right, brightness: 3), at: .milliseconds(2)) == expected)
  }
}
