import SwiftletBase
import SwiftletSchema

extension Tensor {
  /// A tensor of strings.
  ///
  /// - Throws: `RuntimeError` (`invalidArgument`) when the number of strings does not match the shape, or there are 2
  ///   GiB of them.
  public init(strings: [String], shape: Shape) throws(RuntimeError) {
    try self.init(elementType: .string, shape: shape, bytes: Self.payload(strings.map { [UInt8]($0.utf8) }))
  }

  /// The strings, when this is a tensor of strings; bytes that are no UTF-8 become replacement characters.
  ///
  /// - Throws: `RuntimeError` (`typeMismatch`) for another type.
  public func strings() throws(RuntimeError) -> [String] {
    guard elementType == .string else {
      throw RuntimeError(.typeMismatch, "the tensor holds \(elementType.name), not strings; ask for its own type")
    }
    return try Self.strings(ByteRegion(bytes), count: shape.elementCount).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The strings in the model format's encoding: how many, where each begins, where the last ends, then their bytes.
  package static func payload(_ strings: [[UInt8]]) throws(RuntimeError) -> [UInt8] {
    var bytes: [UInt8] = []
    func append(_ value: Int) {
      withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { bytes.append(contentsOf: $0) }
    }
    var position = 4 * (strings.count + 2)
    guard strings.reduce(position, { $0 + $1.count }) <= Int(Int32.max) else {
      throw RuntimeError(.invalidArgument, "a tensor of strings holds less than 2 GiB")
    }
    append(strings.count)
    for string in strings {
      append(position)
      position += string.count
    }
    append(position)
    for string in strings { bytes += string }
    return bytes
  }

  static func strings(_ tensor: Tensor) throws(RuntimeError) -> [[UInt8]] {
    try strings(ByteRegion(tensor.bytes), count: tensor.shape.elementCount)
  }

  /// Reads what `payload` writes. No bytes at all stand for no strings.
  ///
  /// - Throws: `invalidArgument` when the bytes do not hold `count` strings.
  static func strings(_ payload: ByteRegion, count: Int) throws(RuntimeError) -> [[UInt8]] {
    if count == 0, payload.count == 0 { return [] }
    do {
      let layout = try StringTensorLayout(payload)
      guard layout.count == count else {
        throw RuntimeError(.invalidArgument, "\(layout.count) strings are stored for a tensor of \(count)")
      }
      return (0..<count).map { [UInt8](layout.bytes($0).bytes) }
    } catch let error as RuntimeError {
      throw error
    } catch {
      throw RuntimeError(.invalidArgument, "\(error)", underlying: error)
    }
  }
}
