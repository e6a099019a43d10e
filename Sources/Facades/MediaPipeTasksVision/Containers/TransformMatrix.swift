public import Foundation
import SwiftletVision

/// A matrix of floats.
///
/// Unchecked `Sendable` because of its memory, which must not be written to. It is valid as long as the matrix.
#if canImport(ObjectiveC)
  @objc(MPPTransformMatrix) @objcMembers
#endif
open class TransformMatrix: NSObject, @unchecked Sendable {
  /// The number of rows.
  public let rows: UInt
  /// The number of columns.
  public let columns: UInt
  /// The elements, in the order of the initializer. A facial transformation matrix is in column-major order, as in
  /// MediaPipe. Read-only.
  public let data: UnsafeMutablePointer<Float>

  /// Creates a matrix from a copy of its elements.
  ///
  /// - Parameters:
  ///   - data: `rows · columns` elements.
  ///   - rows: The number of rows; a negative number counts as 0.
  ///   - columns: The number of columns; a negative number counts as 0.
  public init(data: UnsafePointer<Float>, rows: Int, columns: Int) {
    let (count, overflow) = max(0, rows).multipliedReportingOverflow(by: max(0, columns))
    // A pointer can't refer to more elements than fit in memory.
    let isPossible = !overflow && count <= Int.max / MemoryLayout<Float>.stride
    let copied = isPossible ? count : 0
    self.rows = isPossible ? UInt(max(0, rows)) : 0
    self.columns = isPossible ? UInt(max(0, columns)) : 0
    self.data = UnsafeMutablePointer<Float>.allocate(capacity: max(1, copied))
    self.data.initialize(repeating: 0, count: max(1, copied))
    self.data.update(from: data, count: copied)
  }

  /// Creates a facial transformation matrix, in column-major order.
  convenience init(_ value: TransformationMatrix) {
    self.init(numbers: value.columnMajor, rows: 4, columns: 4)
  }

  private convenience init(numbers: [Float], rows: Int, columns: Int) {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(1, numbers.count))
    defer { memory.deallocate() }
    memory.initialize(repeating: 0, count: max(1, numbers.count))
    for (index, number) in numbers.enumerated() { memory[index] = number }
    self.init(data: memory, rows: rows, columns: columns)
  }

  deinit { data.deallocate() }

  /// Returns element `row · rows + column` of ``data``, as MediaPipe does. For a facial transformation matrix, this is
  /// the element at that column and row. Returns NaN outside the matrix, where MediaPipe raises an exception.
  public func value(atRow row: UInt, column: UInt) -> Float {
    guard row < rows, column < columns else { return .nan }
    let (position, overflow) = row.multipliedReportingOverflow(by: rows)
    // If there are fewer rows than columns, the position may be past the end.
    guard !overflow, position <= UInt.max - column, position + column < rows * columns else { return .nan }
    return data[Int(position + column)]
  }
}
