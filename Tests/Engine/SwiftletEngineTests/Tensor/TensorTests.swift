import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Tensors with values")
struct TensorTests {
  @Test("contain the number of bytes for type and shape")
  func byteCounts() throws {
    #expect(try Tensor(elementType: .int16, shape: [2, 3], bytes: [UInt8](0..<12)).bytes == [UInt8](0..<12))
    #expect(try Tensor(elementType: .int4, shape: [3], bytes: [1, 2]).bytes.count == 2)
    for count in [11, 13] {
      let error: RuntimeError? = thrownError {
        try Tensor(elementType: .int16, shape: [2, 3], bytes: [UInt8](repeating: 0, count: count))
      }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message == "a int16[2×3] tensor takes 12 bytes, got \(count)")
    }
    let variant: RuntimeError? = thrownError { try Tensor(elementType: .variant, shape: [], bytes: []) }
    #expect(variant?.code == .invalidArgument)
    let values: RuntimeError? = thrownError { try Tensor([Float(1), 2, 3], shape: [2]) }
    #expect(values?.message == "a float32[2] tensor takes 8 bytes, got 12")
  }

  @Test("return their values only as their own type")
  func values() throws {
    let tensor = try Tensor([Int16(-2), 300, 7], shape: [3])
    #expect(try tensor.values(as: Int16.self) == [-2, 300, 7] && tensor.bytes == [0xFE, 0xFF, 0x2C, 1, 7, 0])
    let error: RuntimeError? = thrownError { try tensor.values(as: UInt16.self) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.message == "the tensor holds int16, not uint16; request its own type")
    let strings: RuntimeError? = thrownError { try tensor.strings() }
    #expect(strings?.code == .typeMismatch)
    #expect(strings?.message == "the tensor holds int16, not strings; request its own type")
  }

  @Test("each Swift type maps to one element type")
  func scalars() {
    let types: [(any TensorScalar.Type, ElementType)] = [
      (Float.self, .float32), (Double.self, .float64), (Int8.self, .int8), (UInt8.self, .uint8), (Int16.self, .int16),
      (UInt16.self, .uint16), (Int32.self, .int32), (UInt32.self, .uint32), (Int64.self, .int64),
      (UInt64.self, .uint64),
      (Bool.self, .bool),
    ]
    for (scalar, type) in types { #expect(scalar.elementType == type) }
  }

  @Test("contain strings in the format of model files")
  func strings() throws {
    let tensor = try Tensor(strings: ["ab", "", "ü"], shape: [3])
    // The count, the start of each string, the end of the last one, and the bytes.
    #expect(
      tensor.bytes == [3, 0, 0, 0, 20, 0, 0, 0, 22, 0, 0, 0, 22, 0, 0, 0, 24, 0, 0, 0, 97, 98, 0xC3, 0xBC])
    #expect(try tensor.strings() == ["ab", "", "ü"] && tensor.elementType == .string)
    #expect(try Tensor(elementType: .string, shape: [0], bytes: []).strings().isEmpty)
    #expect(try Tensor(elementType: .string, shape: [1], bytes: Tensor.payload([[0xFF]])).strings() == ["\u{FFFD}"])
    let count: RuntimeError? = thrownError { try Tensor(strings: ["a", "b"], shape: [3]) }
    #expect(count?.code == .invalidArgument && count?.message == "2 strings are stored for a tensor of 3")
    let none: RuntimeError? = thrownError { try Tensor(elementType: .string, shape: [1], bytes: []) }
    #expect(none?.code == .invalidArgument)
    let broken: RuntimeError? = thrownError { try Tensor(elementType: .string, shape: [1], bytes: [1, 0, 0, 0, 9]) }
    #expect(broken?.code == .invalidArgument && broken?.underlying is SchemaError)
  }
}
