/// What the equality of landmarks looks at.
struct LandmarkPlace {
  /// MediaPipe's tolerance.
  private static let tolerance: Float = 1e-6

  /// Points that are close are equal, so no two points may have different hashes: however fine a grid is, two close
  /// points lie in different cells of it.
  static let hash = 0

  let x: Float
  let y: Float
  let z: Float

  func isClose(to other: LandmarkPlace) -> Bool {
    abs(x - other.x) < Self.tolerance && abs(y - other.y) < Self.tolerance && abs(z - other.z) < Self.tolerance
  }
}
