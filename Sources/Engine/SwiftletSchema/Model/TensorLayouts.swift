package import SwiftletBase

/// The positions of the strings in the bytes of a string tensor.
///
/// - Source: the payload consists of a count, count + 1 offsets (all 32-bit), and the characters.
package struct StringTensorLayout: Sendable {
  private let data: ByteRegion
  package let count: Int

  /// Creates a layout from the payload of a string tensor, which is validated.
  ///
  /// - Throws: `SchemaError` if the offsets don't increase from the end of the header to the end of the bytes.
  package init(_ data: ByteRegion) throws(SchemaError) {
    self.data = data
    guard let count = data.integer(UInt32.self, at: 0) else {
      throw SchemaError(.invalid, "the payload of a string tensor has at least 4 bytes, got \(data.count)")
    }
    self.count = Int(count)
    let header = 4 * (Int(count) + 2)
    guard header <= data.count else {
      throw SchemaError(
        .invalid, "\(count) strings need \(header) bytes of offsets, the payload has \(data.count) bytes")
    }
    var previous = header
    for index in 0...self.count {
      let offset = offset(index)
      guard index == 0 ? offset == header : offset >= previous, offset <= data.count else {
        throw SchemaError(
          .invalid,
          "the offset of string \(index) must be in \(previous) ... \(data.count), got \(offset)")
      }
      previous = offset
    }
  }

  /// Returns the bytes of string `index`, which must be less than `count`.
  package func bytes(_ index: Int) -> ByteRegion {
    precondition((0..<count).contains(index), "the index of a string must be less than the number of strings")
    return data.slice(offset: offset(index), count: offset(index + 1) - offset(index)) ?? .empty
  }

  private func offset(_ index: Int) -> Int {
    Int(data.integer(Int32.self, at: 4 + 4 * index) ?? 0)
  }
}

extension TensorDescription {
  private static let shownValueLimit = 16

  /// The values of a constant with a few elements, such as axes, sizes, or permutations, formatted as text; `nil` for
  /// constants with more elements or none, and for types that aren't plain numbers or strings.
  package var fewValues: String? {
    guard let data, sparsity == nil else { return nil }
    if type == .string { return Self.strings(data) }
    guard let width = type.byteWidth, data.count % width == 0, (1...Self.shownValueLimit).contains(data.count / width)
    else { return nil }
    let offsets = stride(from: 0, to: data.count, by: width)
    func list<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, _ text: (Value) -> String) -> String {
      offsets.compactMap { data.integer(type, at: $0).map(text) }.joined(separator: ", ")
    }
    return switch type {
    case .float32: list(UInt32.self) { Float(bitPattern: $0).description }
    case .float64: list(UInt64.self) { Double(bitPattern: $0).description }
    case .int8: list(Int8.self, \.description)
    case .uint8: list(UInt8.self, \.description)
    case .int16: list(Int16.self, \.description)
    case .int32: list(Int32.self, \.description)
    case .int64: list(Int64.self, \.description)
    case .bool: list(UInt8.self) { $0 == 0 ? "false" : "true" }
    default: nil
    }
  }

  private static func strings(_ data: ByteRegion) -> String? {
    guard let layout = try? StringTensorLayout(data), (1...shownValueLimit).contains(layout.count) else { return nil }
    return (0..<layout.count).map { index in
      layout.bytes(index).withBytes { "\"" + String(decoding: $0.prefix(100), as: UTF8.self) + "\"" }
    }.joined(separator: ", ")
  }
}
