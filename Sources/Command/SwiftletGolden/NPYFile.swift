import SwiftletBase
package import SwiftletSchema

/// NumPy's `.npy` files: one array, its type and shape in a short text header, then its elements.
///
/// Reading takes format versions 1.0, 2.0 and 3.0, either byte order and C order; writing gives version 1.0 (2.0 for a
/// header that does not fit), little-endian, as `numpy.save` does.
///
/// - Types: float16, float32, float64, signed and unsigned integers of 8 to 64 bits, bool.
/// - Source: the description of the format in `numpy.lib.format`.
package enum NPYFile {
  /// Twice as many bytes as a tensor of a run may have by default; files may be sparse, so that they cost nothing on
  /// the disk.
  private static let largestFile = 1 << 32
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// The data starts at a multiple of this, so that it can be mapped.
  private static let alignment = 64

  /// Reads a file.
  ///
  /// - Throws: `GoldenError`, with the path: `.unreadable`, or what `decode` throws.
  package static func read(_ path: String) throws(GoldenError) -> GoldenTensor {
    let bytes = try GoldenFile.readWhole(path, limit: largestFile)
    do {
      return try decode(bytes)
    } catch {
      throw GoldenError(error.code, file: path, error.message)
    }
  }

  /// The array that the bytes of a file describe, in little-endian order.
  ///
  /// - Throws: `GoldenError.malformed` for bytes that are not a `.npy` file or contradict their header,
  ///   `.unsupported` for Fortran order, structured and other types, `.wrongSize` when there are fewer or more elements
  ///   than the shape says.
  package static func decode(_ bytes: [UInt8]) throws(GoldenError) -> GoldenTensor {
    guard bytes.starts(with: magic), bytes.count >= 10 else {
      throw GoldenError(.malformed, "not a .npy file: it does not begin with \\x93NUMPY and a version")
    }
    let (major, minor) = (bytes[6], bytes[7])
    guard (1...3).contains(major), minor == 0 else {
      throw GoldenError(.unsupported, ".npy format version \(major).\(minor); supported are 1.0, 2.0 and 3.0")
    }
    let lengthBytes = major == 1 ? 2 : 4
    guard bytes.count >= 8 + lengthBytes else {
      throw GoldenError(.malformed, "the .npy file ends inside its header length")
    }
    let headerLength = (0..<lengthBytes).reduce(0) { $0 | Int(bytes[8 + $1]) << (8 * $1) }
    let headerStart = 8 + lengthBytes
    guard headerLength <= bytes.count - headerStart else {
      throw GoldenError(
        .malformed, "the .npy header should take \(headerLength) bytes, \(bytes.count - headerStart) are left")
    }
    let dataStart = headerStart + headerLength
    let header = try NPYHeader(bytes[headerStart..<dataStart])
    return try tensor(header, Array(bytes[dataStart...]))
  }

  private static func tensor(_ header: NPYHeader, _ data: [UInt8]) throws(GoldenError) -> GoldenTensor {
    guard !header.isFortranOrder else {
      throw GoldenError(
        .unsupported,
        "the array is in Fortran (column-major) order; save it with numpy.save(file, numpy.ascontiguousarray(array))")
    }
    guard let elementType = ElementType(npyDescriptor: header.descriptor.dropFirst()), let width = elementType.byteWidth
    else {
      throw GoldenError(
        .unsupported,
        "arrays of type '\(header.descriptor.excerpt)' are not supported; convert with array.astype('float32')")
    }
    var data = data
    switch header.descriptor.first {
    case "<", "=": break
    case "|" where width == 1: break
    case ">":
      // Whole elements only; a remainder is refused below with the sizes.
      for start in stride(from: 0, to: data.count - data.count % width, by: width) {
        data[start..<(start + width)].reverse()
      }
    default:
      throw GoldenError(
        .malformed, "the .npy header has a type '\(header.descriptor.excerpt)' without a valid byte order")
    }
    if elementType == .bool, data.contains(where: { $0 > 1 }) {
      throw GoldenError(.malformed, "an array of type bool holds bytes other than 0 and 1")
    }
    return try GoldenTensor(elementType: elementType, shape: header.shape, bytes: data)
  }

  /// The bytes of a file that holds `tensor`.
  ///
  /// - Throws: `GoldenError.unsupported` for types that NumPy does not have, such as strings of bytes.
  package static func encode(_ tensor: GoldenTensor) throws(GoldenError) -> [UInt8] {
    try header(tensor.elementType, shape: tensor.shape) + tensor.bytes
  }

  /// What a file begins with: the elements follow in C order, little-endian. For arrays that are written piece by
  /// piece.
  ///
  /// - Throws: `GoldenError.unsupported`, as `encode`.
  package static func header(_ elementType: ElementType, shape: [Int]) throws(GoldenError) -> [UInt8] {
    guard let descriptor = elementType.npyDescriptor else {
      throw GoldenError(.unsupported, "tensors of type \(elementType.name) cannot be written as .npy")
    }
    let order = elementType.byteWidth == 1 ? "|" : "<"
    let shape = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
    let text = "{'descr': '\(order)\(descriptor)', 'fortran_order': False, 'shape': (\(shape)), }"
    let shortLength = padded(text.utf8.count + 1, after: 10)
    let isShort = shortLength <= Int(UInt16.max)
    let lengthBytes = isShort ? 2 : 4
    let length = isShort ? shortLength : padded(text.utf8.count + 1, after: 12)

    var bytes = magic + [isShort ? 1 : 2, 0]
    bytes += (0..<lengthBytes).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    bytes += text.utf8
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: length - text.utf8.count - 1)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// `count` grown so that data after a preamble of `preamble` bytes is aligned.
  private static func padded(_ count: Int, after preamble: Int) -> Int {
    (preamble + count + alignment - 1) / alignment * alignment - preamble
  }
}
