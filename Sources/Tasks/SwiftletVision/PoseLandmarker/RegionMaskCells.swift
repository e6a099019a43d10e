/// A mask with a border of zeros, laid out so that the four numbers around a position lie side by side.
///
/// Every number stands beside the one below it: of `a b` over `c d` memory holds `a c b d`.
struct RegionMaskCells {
  /// More numbers than any mask of a published model has, and few enough that their addresses fit 32 bits.
  static let mostCells = 1 << 24

  /// Two numbers that lie one below the other.
  typealias Column = SIMD2<Float>

  let width: Int
  let height: Int
  private var columns: [Column]

  /// Columns in a row of ``withCells(_:)``: those of the mask, and the border on both sides.
  var stride: Int { width + 2 }

  /// - Parameters:
  ///   - width: of the mask; with `height` at most ``mostCells`` numbers.
  ///   - height: of the mask.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    columns = [Column](repeating: .zero, count: (width + 2) * (height + 1))
  }

  /// Takes a mask's numbers, row after row.
  ///
  /// - Parameter numbers: `width · height` of them.
  mutating func fill(_ numbers: UnsafePointer<Float>) {
    let (width, height, stride) = (width, height, stride)
    columns.withUnsafeMutableBufferPointer { columns in
      for row in 0...height {
        // Row r holds the mask's row r − 1 above its row r.
        let target = UnsafeMutableBufferPointer(rebasing: columns[row * stride + 1..<row * stride + 1 + width])
        switch row {
        case 0: for column in 0..<width { target[column] = Column(0, numbers[column]) }
        case height:
          for column in 0..<width { target[column] = Column(numbers[(row - 1) * width + column], 0) }
        default:
          let above = numbers + (row - 1) * width
          for column in 0..<width { target[column] = Column(above[column], above[column + width]) }
        }
      }
    }
  }

  /// Gives `body` the columns: `height + 1` rows of ``stride``.
  func withCells<Result>(_ body: (UnsafePointer<Column>) throws -> Result) rethrows -> Result? {
    try columns.withUnsafeBufferPointer { columns in try columns.baseAddress.map(body) }
  }
}
