import SwiftletBase

extension TensorDescription {
  private static let shownValueLimit = 16

  /// The values of a constant of a few elements, such as axes, sizes and permutations, as they would be written down;
  /// `nil` for more of them, for none, and for types that are not plain numbers or strings.
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
