import SwiftletBase
package import SwiftletSchema

/// NumPy's `.npy` format: a single array, with its type and shape in a short text header followed by its elements.
///
/// The reader accepts format versions 1.0, 2.0, and 3.0, either byte order, and C order. The writer writes version 1.0
/// (2.0 for a header that doesn't fit), little-endian, as `numpy.save` does.
///
/// - Types: float16, float32, float64, signed and unsigned integers of 8 to 64 bits, bool.
/// - Source: The description of the format in `numpy.lib.format`.
package enum NPYFile {
  /// The maximum file size: twice the default limit for a tensor of a run. A sparse file can be large at no cost on
  /// disk.
  private static let maximumFile = 1 << 32
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)
  /// The alignment of the data, so that it can be memory-mapped.
  private static let alignment = 64

  /// Reads a file.
  ///
  /// - Throws: `GoldenError` with the path: `.unreadable`, or an error of `decode`.
  package static func read(_ path: String) throws(GoldenError) -> GoldenTensor {
    let bytes = try GoldenFile.readWhole(path, limit: maximumFile)
    do {
      return try decode(bytes)
    } catch {
      throw GoldenError(error.code, file: path, error.message)
    }
  }

  /// Returns the array in the bytes of a file, in little-endian order.
  ///
  /// - Throws: `GoldenError.malformed` for bytes that aren't a `.npy` file or contradict their header, `.unsupported`
  ///   for Fortran order, structured types, and other types, `.wrongSize` if the number of elements differs from the
  ///   shape.
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
      // Complete elements only; the size check below rejects a remainder.
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

  /// Returns the bytes of a file that contains `tensor`.
  ///
  /// - Throws: `GoldenError.unsupported` for types that NumPy doesn't have, such as byte strings.
  package static func encode(_ tensor: GoldenTensor) throws(GoldenError) -> [UInt8] {
    try header(tensor.elementType, shape: tensor.shape) + tensor.bytes
  }

  /// Returns the beginning of a file, after which the elements follow in C order, little-endian. It's for arrays that
  /// are written piece by piece.
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

  /// Returns `count` rounded up so that data after a preamble of `preamble` bytes is aligned.
  private static func padded(_ count: Int, after preamble: Int) -> Int {
    (preamble + count + alignment - 1) / alignment * alignment - preamble
  }
}

/// The header of a `.npy` file: a Python dictionary with three keys, written as text.
struct NPYHeader {
  private(set) var descriptor = ""
  private(set) var isFortranOrder = false
  private(set) var shape: [Int] = []

  /// The maximum number of dimensions in NumPy.
  private static let rankLimit = 64

  /// Parses the dictionary. Unknown, repeated, and missing keys are errors, as in NumPy.
  init(_ bytes: ArraySlice<UInt8>) throws(GoldenError) {
    var reader = PythonLiteralReader(bytes)
    var seen: Set<String> = []
    try reader.expect("{")
    while !reader.skip("}") {
      let key = try reader.string()
      guard seen.insert(key).inserted else { throw Self.malformed("the key '\(key.excerpt)' is there twice") }
      try reader.expect(":")
      switch key {
      case "descr":
        guard reader.isAtString else {
          throw GoldenError(.unsupported, "structured arrays are not supported; save a single field of the array")
        }
        descriptor = try reader.string()
      case "fortran_order": isFortranOrder = try reader.boolean()
      case "shape": shape = try reader.tuple(limit: Self.rankLimit)
      default: throw Self.malformed("unknown key '\(key.excerpt)'")
      }
      if !reader.skip(",") {
        try reader.expect("}")
        break
      }
    }
    guard reader.isAtEnd else { throw Self.malformed("there is something after the closing brace") }
    for key in ["descr", "fortran_order", "shape"] where !seen.contains(key) {
      throw Self.malformed("the key '\(key.excerpt)' is missing")
    }
  }

  fileprivate static func malformed(_ reason: String) -> GoldenError {
    GoldenError(.malformed, "the .npy header cannot be read: \(reason)")
  }
}

/// Reads the Python literals that a header can contain.
private struct PythonLiteralReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return rest.isEmpty
    }
  }

  var isAtString: Bool {
    mutating get {
      skipSpace()
      return rest.first == UInt8(ascii: "'") || rest.first == UInt8(ascii: "\"")
    }
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\t") }
  }

  /// Skips `character` if it comes next, and returns whether it did.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(GoldenError) {
    guard skip(character) else { throw NPYHeader.malformed("expected '\(character)' \(place)") }
  }

  private var place: String {
    guard let next = rest.first else { return "at its end" }
    return "before '\(Unicode.Scalar(next))'"
  }

  /// Reads a string without escapes.
  mutating func string() throws(GoldenError) -> String {
    skipSpace()
    guard isAtString, let quote = rest.popFirst(), let end = rest.firstIndex(of: quote) else {
      throw NPYHeader.malformed("expected a string \(place)")
    }
    let text = rest[..<end]
    rest = rest[(end + 1)...]
    guard text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw NPYHeader.malformed("a string holds characters that are not plain")
    }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func boolean() throws(GoldenError) -> Bool {
    skipSpace()
    for (word, value) in [("True", true), ("False", false)] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return value
    }
    throw NPYHeader.malformed("expected True or False \(place)")
  }

  /// Reads a tuple of integers: `()`, `(3,)`, `(3, 4)`.
  mutating func tuple(limit: Int) throws(GoldenError) -> [Int] {
    var numbers: [Int] = []
    try expect("(")
    while !skip(")") {
      guard numbers.count < limit else { throw NPYHeader.malformed("more than \(limit) dimensions") }
      numbers.append(try number())
      if !skip(",") {
        try expect(")")
        break
      }
    }
    return numbers
  }

  private mutating func number() throws(GoldenError) -> Int {
    skipSpace()
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard let value = Int(String(decoding: digits, as: UTF8.self)) else {
      throw NPYHeader.malformed("expected a dimension \(place)")
    }
    rest = rest.dropFirst(digits.count)
    return value
  }
}
