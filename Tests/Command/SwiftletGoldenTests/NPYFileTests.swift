import SwiftletGolden
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("NPY files")
struct NPYFileTests {
  /// Returns a file in the layout of `numpy.save`.
  static func file(
    _ header: String, data: [UInt8], version: (UInt8, UInt8) = (1, 0), length: Int? = nil
  ) -> [UInt8] {
    let text = Array(header.utf8) + [UInt8(ascii: "\n")]
    let count = length ?? text.count
    let lengthBytes = (0..<(version.0 == 1 ? 2 : 4)).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    return [0x93] + Array("NUMPY".utf8) + [version.0, version.1] + lengthBytes + text + data
  }

  static func header(_ descriptor: String, _ shape: String, fortran: String = "False") -> String {
    "{'descr': '\(descriptor)', 'fortran_order': \(fortran), 'shape': \(shape), }"
  }

  @Test(
    "reads back every type it writes",
    arguments: [
      ElementType.float16, .float32, .float64, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64, .bool,
    ])
  func roundTripsTypes(type: ElementType) throws {
    let width = try #require(type.byteWidth)
    let bytes = (0..<(6 * width)).map { UInt8($0 % 2) }
    let tensor = try GoldenTensor(elementType: type, shape: [2, 3], bytes: bytes)
    #expect(try NPYFile.decode(NPYFile.encode(tensor)) == tensor)
  }

  @Test("reads back every shape it writes", arguments: [[], [0], [1], [7], [2, 0, 3], [1, 2, 3, 4, 5]])
  func roundTripsShapes(shape: [Int]) throws {
    let count = shape.reduce(1, *)
    let tensor = try GoldenTensor(elementType: .uint8, shape: shape, bytes: (0..<count).map { UInt8($0) })
    let bytes = try NPYFile.encode(tensor)
    #expect(try NPYFile.decode(bytes) == tensor)
    #expect((bytes.count - count) % 64 == 0)
  }

  @Test("writes the bytes that NumPy writes")
  func matchesNumPy() throws {
    let tensor = try GoldenTensor(elementType: .int64, shape: [], bytes: [7, 0, 0, 0, 0, 0, 0, 0])
    let header = "{'descr': '<i8', 'fortran_order': False, 'shape': (), }"
    var expected: [UInt8] = [0x93]
    expected += "NUMPY".utf8
    expected += [1, 0, 0x76, 0]
    expected += header.utf8
    expected += [UInt8](repeating: 0x20, count: 117 - header.utf8.count)
    expected += [0x0A, 7, 0, 0, 0, 0, 0, 0, 0]
    #expect(try NPYFile.encode(tensor) == expected)
  }

  @Test("reads format versions 2.0 and 3.0 with their longer header length", arguments: [UInt8(2), 3])
  func readsLaterVersions(major: UInt8) throws {
    let bytes = Self.file(Self.header("<i2", "(2,)"), data: [1, 0, 2, 0], version: (major, 0))
    #expect(try NPYFile.decode(bytes).integerValues == [1, 2])
  }

  @Test("writes version 2.0 when the header does not fit into 65535 bytes")
  func writesLongHeaders() throws {
    // More dimensions than NumPy accepts, so the result is only inspected, not read back.
    let tensor = try GoldenTensor(elementType: .int8, shape: [Int](repeating: 1, count: 30000), bytes: [5])
    let bytes = try NPYFile.encode(tensor)
    #expect(bytes[6] == 2)
    #expect((bytes.count - 1) % 64 == 0)
  }

  @Test("converts big-endian elements")
  func readsBigEndian() throws {
    let bytes = Self.file(Self.header(">i4", "(2,)"), data: [0, 0, 1, 2, 0xFF, 0xFF, 0xFF, 0xFE])
    #expect(try NPYFile.decode(bytes).integerValues == [258, -2])
  }

  @Test("accepts other spacing, quotes and key orders")
  func readsOtherSpellings() throws {
    let header = "{\"shape\":(2 , 1,),\"fortran_order\":False,\"descr\":\"|u1\"}   "
    #expect(try NPYFile.decode(Self.file(header, data: [3, 4])).shape == [2, 1])
  }

  @Test("rejects Fortran order and suggests a fix")
  func refusesFortranOrder() throws {
    let bytes = Self.file(Self.header("<f4", "(2, 2)", fortran: "True"), data: [UInt8](repeating: 0, count: 16))
    let error = #expect(throws: GoldenError.self) { try NPYFile.decode(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("ascontiguousarray") == true)
  }

  @Test("rejects types without a tensor counterpart", arguments: ["<c8", "|S5", "<U3", "|O", "<f16", "", "x"])
  func refusesTypes(descriptor: String) {
    #expect(throws: GoldenError.self) {
      try NPYFile.decode(Self.file(Self.header(descriptor, "(1,)"), data: [UInt8](repeating: 0, count: 20)))
    }
  }

  @Test("rejects structured arrays")
  func refusesStructuredArrays() {
    let header = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"
    let error = #expect(throws: GoldenError.self) { try NPYFile.decode(Self.file(header, data: [0, 0, 0, 0])) }
    #expect(error?.code == .unsupported)
  }

  @Test(
    "rejects headers that are not NumPy's",
    arguments: [
      "", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
      "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
      "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
      "{'descr': '<f4, 'fortran_order': False, 'shape': ()}",
      "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
    ])
  func refusesHeaders(header: String) {
    #expect(throws: GoldenError.self) { try NPYFile.decode(Self.file(header, data: [0, 0, 0, 0])) }
  }

  @Test("rejects a shape whose elements cannot be counted")
  func refusesOverflow() {
    let header = Self.header("<f4", "(4611686018427387904, 4)")
    let error = #expect(throws: GoldenError.self) { try NPYFile.decode(Self.file(header, data: [])) }
    #expect(error?.code == .wrongSize)
  }

  @Test("rejects more dimensions than NumPy has")
  func refusesRank() {
    let shape = "(" + String(repeating: "1,", count: 65) + ")"
    #expect(throws: GoldenError.self) { try NPYFile.decode(Self.file(Self.header("|u1", shape), data: [1])) }
  }

  @Test("rejects more and less data than the shape requires", arguments: [0, 11, 13])
  func refusesWrongDataSize(count: Int) {
    let bytes = Self.file(Self.header("<f4", "(3,)"), data: [UInt8](repeating: 0, count: count))
    let error = #expect(throws: GoldenError.self) { try NPYFile.decode(bytes) }
    #expect(error?.code == .wrongSize)
  }

  @Test("rejects booleans other than 0 and 1")
  func refusesOddBooleans() {
    #expect(throws: GoldenError.self) { try NPYFile.decode(Self.file(Self.header("|b1", "(1,)"), data: [2])) }
  }

  @Test("rejects a header length beyond the end of the file")
  func refusesLongHeader() {
    let bytes = Self.file(Self.header("|u1", "(1,)"), data: [1], version: (2, 0), length: Int(UInt32.max))
    #expect(throws: GoldenError.self) { try NPYFile.decode(bytes) }
  }

  @Test("rejects unknown versions", arguments: [(UInt8(0), UInt8(0)), (4, 0), (1, 1)])
  func refusesVersions(major: UInt8, minor: UInt8) {
    let bytes = Self.file(Self.header("|u1", "(1,)"), data: [1], version: (major, minor))
    #expect(throws: GoldenError.self) { try NPYFile.decode(bytes) }
  }

  @Test("throws or reads, and never traps, for truncated and altered files")
  func survivesCorruption() throws {
    let tensor = try Tensors.floats([1, 2, 3, 4, 5, 6], shape: [2, 3])
    let bytes = try NPYFile.encode(tensor)
    for count in 0..<bytes.count {
      #expect(throws: GoldenError.self) { try NPYFile.decode(Array(bytes[..<count])) }
    }
    var generator = SplitMix64(state: 7)
    var readable = 0
    for _ in 0..<3000 {
      var altered = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        altered[Int.random(in: altered.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if let array = try? NPYFile.decode(altered) {
        readable += 1
        #expect(array.bytes.count == array.elementType.byteCount(elements: array.elementCount))
      }
    }
    #expect(readable > 0)
  }

  @Test("names the file in its errors")
  func namesFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], to: "broken.npy")
    let error = #expect(throws: GoldenError.self) { try NPYFile.read(path) }
    #expect(error?.description.hasPrefix(path) == true)
    #expect(throws: GoldenError.self) { try NPYFile.read(folder.path) }
    #expect(throws: GoldenError.self) { try NPYFile.read(folder.path + "/missing.npy") }
  }
}
