import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Face geometry")
struct FaceGeometryTests {
  private let canonical = SyntheticCanonicalFace()

  private func space() throws -> FaceGeometry {
    FaceGeometry(try CanonicalFace(ByteRegion(canonical.bytes)))
  }

  private func geometry(_ width: Int, _ height: Int) throws -> RegionGeometry {
    RegionGeometry(
      try InputImage(rgb: [UInt8](repeating: 0, count: width * height * 3), width: width, height: height))
  }

  /// Returns the landmarks of the canonical face in a camera with a field of view of 63 degrees, with the depths of a
  /// face landmarker.
  private func landmarks(
    _ rotation: Matrix3, scale: Double, _ translation: SIMD3<Double>, _ geometry: RegionGeometry
  ) -> [NormalizedLandmark] {
    let places = canonical.points.map { rotation * SIMD3<Double>($0) * scale + translation }
    let height = 2 * tan(31.5 * Double.pi / 180)
    let width = height * Double(geometry.width) / Double(geometry.height)
    let middle = places.reduce(0) { $0 - $1.z } / Double(places.count)
    let mesh = places.map { place in
      NormalizedLandmark(
        x: Float(place.x / -place.z / width + 0.5), y: Float(0.5 - place.y / -place.z / height),
        z: Float((-place.z / middle - 1) / width))
    }
    return mesh + [NormalizedLandmark](repeating: mesh[0], count: 10)
  }

  @Test(
    "a face in front of the camera is at its actual position if it has the canonical size",
    arguments: [(40, 30), (30, 40), (20, 20)])
  func exact(width: Int, height: Int) throws {
    var (space, random) = (try space(), SplitMix64(state: 11))
    let geometry = try geometry(width, height)
    for _ in 0..<20 {
      let rotation = NearestRotationTests.rotation(&random)
      let translation = SIMD3<Double>(3, -5, -60)
      let found = space.matrix(of: landmarks(rotation, scale: 1.25, translation, geometry), in: geometry)
      let matrix = try #require(found)
      // A face that is a quarter larger looks like the canonical one at a correspondingly smaller distance.
      let expected = [rotation.x, rotation.y, rotation.z, translation / 1.25]
      for column in 0..<4 {
        for row in 0..<3 { #expect(abs(matrix[row, column] - Float(expected[column][row])) < 2e-3) }
        #expect(matrix[3, column] == (column == 3 ? 1 : 0))
      }
    }
  }

  @Test("landmarks that don't form a 3D face have no matrix")
  func degenerate() throws {
    var space = try space()
    let geometry = try geometry(40, 30)
    let point = NormalizedLandmark(x: 0.5, y: 0.5, z: 0)
    func matrix(_ points: [NormalizedLandmark]) -> TransformationMatrix? { space.matrix(of: points, in: geometry) }
    #expect(matrix([]) == nil)
    #expect(matrix([NormalizedLandmark](repeating: point, count: 478)) == nil)
    let close = (0..<478).map { NormalizedLandmark(x: 0.5 + Float($0 % 2) * 0.0019, y: 0.5, z: 0.1 * Float($0)) }
    #expect(matrix(close) == nil)
    let line = (0..<478).map { NormalizedLandmark(x: Float($0) / 478, y: 0, z: 0) }
    _ = matrix(line)
    for number in [Float.nan, .infinity, 1e38] {
      let wild = (0..<478).map { NormalizedLandmark(x: Float($0) * number, y: 0.5, z: number) }
      #expect(matrix(wild) == nil)
    }
  }

  @Test("a matrix is indexed by row and column")
  func layout() {
    let matrix = TransformationMatrix(columns: ([0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]))
    #expect(matrix.rowMajor == (0..<16).map { Float($0) })
    #expect(matrix.columnMajor == [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15])
    #expect(matrix[1, 2] == 6 && matrix.columns.2 == [2, 6, 10, 14] && matrix.rows.1 == [4, 5, 6, 7])
    for (row, column) in [(-1, 0), (0, 4), (Int.max, Int.min)] { #expect(matrix[row, column].isNaN) }
  }
}
