import SwiftletGolden
import SwiftletSchema
import Testing

@Suite("Golden tensors")
struct GoldenTensorTests {
  @Test("requires the number of bytes for type and shape", arguments: [0, 7, 9])
  func checksByteCount(count: Int) {
    let error = #expect(throws: GoldenError.self) {
      try GoldenTensor(elementType: .float32, shape: [2], bytes: [UInt8](repeating: 0, count: count))
    }
    #expect(error?.code == .wrongSize)
  }

  @Test("rejects negative and uncountable shapes", arguments: [[-1], [2, -3], [Int.max, 2], [1 << 40, 1 << 40]])
  func refusesShapes(shape: [Int]) {
    #expect(throws: GoldenError.self) { try GoldenTensor(elementType: .int8, shape: shape, bytes: []) }
  }

  @Test("accepts a scalar and an empty tensor")
  func acceptsScalarAndEmpty() throws {
    #expect(try GoldenTensor(elementType: .int32, shape: [], bytes: [1, 0, 0, 0]).integerValues == [1])
    #expect(try GoldenTensor(elementType: .int32, shape: [3, 0], bytes: []).integerValues == [])
  }

  @Test("reads signed, unsigned and boolean elements")
  func readsIntegers() throws {
    func values(_ type: ElementType, _ bytes: [UInt8]) throws -> [Int64]? {
      let count = bytes.count / (type.byteWidth ?? 1)
      return try GoldenTensor(elementType: type, shape: [count], bytes: bytes).integerValues
    }
    #expect(try values(.int8, [0xFF, 0x80]) == [-1, -128])
    #expect(try values(.uint8, [0xFF]) == [255])
    #expect(try values(.int16, [0, 0x80]) == [-32768])
    #expect(try values(.uint16, [0, 0x80]) == [32768])
    #expect(try values(.int32, [0xFE, 0xFF, 0xFF, 0xFF]) == [-2])
    #expect(try values(.uint32, [0xFE, 0xFF, 0xFF, 0xFF]) == [4_294_967_294])
    #expect(try values(.bool, [0, 1, 2]) == [0, 1, 1])
    #expect(try values(.float32, [0, 0, 0, 0]) == nil)
  }

  @Test("reads complex elements as two numbers each")
  func readsComplex() throws {
    let bytes = [Float(1), -2, 0, 0.5].flatMap { Tensors.bytes($0.bitPattern) }
    #expect(try GoldenTensor(elementType: .complex64, shape: [2], bytes: bytes).floatingPointValues == [1, -2, 0, 0.5])
  }

  @Test(
    "reads half precision exactly",
    arguments: [
      (0x0000, 0), (0x3C00, 1), (0xC000, -2), (0x7BFF, 65504), (0x0400, 0x1p-14), (0x0001, 0x1p-24),
      (0x8001, -0x1p-24), (0x03FF, 0x3FFp-24), (0x3555, 0x1.554p-2), (0x7C00, .infinity), (0xFC00, -.infinity),
    ] as [(UInt16, Float)])
  func readsHalves(bits: UInt16, value: Float) {
    #expect(HalfPrecision.value(bitPattern: bits) == value)
  }

  @Test("keeps the sign of a float16 zero and reads NaN")
  func readsSpecialHalves() {
    #expect(HalfPrecision.value(bitPattern: 0x8000).sign == .minus)
    #expect(HalfPrecision.value(bitPattern: 0x7E00).isNaN)
  }

  @Test("reads back the strings it writes", arguments: [[], [""], ["a"], ["", "swift", "é", ""]])
  func roundTripsStrings(texts: [String]) throws {
    #expect(try Tensors.strings(texts).stringValues?.map { String(decoding: $0, as: UTF8.self) } == texts)
  }

  @Test(
    "rejects string tensors whose offsets are outside their bytes",
    arguments: [
      [UInt8](), [1], [1, 0, 0, 0], [255, 255, 255, 127], [255, 255, 255, 255],
      [1, 0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0], [1, 0, 0, 0, 12, 0, 0, 0, 13, 0, 0, 0],
      [1, 0, 0, 0, 12, 0, 0, 0, 11, 0, 0, 0],
    ])
  func refusesBrokenStrings(bytes: [UInt8]) {
    #expect(throws: GoldenError.self) { try StringTensorBytes.decode(bytes) }
  }

  @Test("names types like NumPy")
  func namesTypes() {
    #expect(ElementType(numpyName: "float16") == .float16)
    #expect(ElementType(numpyName: "bool") == .bool)
    #expect(ElementType(numpyName: "int4") == nil)
    #expect(ElementType(numpyName: "") == nil)
  }
}
