/// The transformation matrix of a face: the map from the canonical face to the camera.
///
/// Points are columns (x, y, z, 1), in centimeters. The canonical face is an average face around the origin that looks
/// along +z, with +y up. The camera is at the origin and looks along −z, with +y up. Its vertical field of view is 63
/// degrees, from the upper to the lower edge of the stored image. The face is assumed to be as large as the canonical
/// face, so the matrix rotates and translates with a scale close to 1. Its last row is (0, 0, 0, 1).
public struct TransformationMatrix: Sendable, Hashable {
  private var column0: SIMD4<Float>
  private var column1: SIMD4<Float>
  private var column2: SIMD4<Float>
  private var column3: SIMD4<Float>

  /// Creates a matrix of four columns.
  public init(columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)) {
    (column0, column1, column2, column3) = columns
  }

  /// The columns: the directions of the canonical face's axes, and the position of its origin.
  public var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (column0, column1, column2, column3)
  }

  /// The rows.
  public var rows: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) { (row(0), row(1), row(2), row(3)) }

  /// The element at a row and a column, both 0…3; NaN for other indices.
  public subscript(row: Int, column: Int) -> Float {
    guard (0..<4).contains(row), (0..<4).contains(column) else { return .nan }
    return switch column {
    case 0: column0[row]
    case 1: column1[row]
    case 2: column2[row]
    default: column3[row]
    }
  }

  /// All 16 elements in row-major order.
  public var rowMajor: [Float] { (0..<16).map { self[$0 / 4, $0 % 4] } }

  /// All 16 elements in column-major order, as graphics APIs expect them.
  public var columnMajor: [Float] { (0..<16).map { self[$0 % 4, $0 / 4] } }

  /// The matrix for the mirror image, with the sign of the camera's x-axis reversed.
  var mirrored: TransformationMatrix {
    func mirrored(_ column: SIMD4<Float>) -> SIMD4<Float> { SIMD4(-column.x, column.y, column.z, column.w) }
    return TransformationMatrix(
      columns: (mirrored(column0), mirrored(column1), mirrored(column2), mirrored(column3)))
  }

  private func row(_ index: Int) -> SIMD4<Float> {
    SIMD4(column0[index], column1[index], column2[index], column3[index])
  }
}
