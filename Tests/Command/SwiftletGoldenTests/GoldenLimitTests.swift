import Foundation
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletGolden

@Suite("Limits of golden files")
struct GoldenLimitTests {
  @Test("every field of a manifest comes from its own key")
  func manifest() throws {
    let text = #"""
      {"format":1,"seed":7,"byte_order":"little","generator":{"numpy":"2"},"skipped":[{"model":"s","reason":"r"}],
       "models":[{"model":"m","sha256":"h","reference":"builtin","reference_refusal":"no","rewritten_ops":["A"],
       "model_file":"f","model_offset":3,"model_bytes":4,"operator":"ADD","arithmetic":"float","stateful":true,
       "signature":"s","cases":[{"name":"c","image":"i.png",
       "inputs":[{"index":1,"name":"x","dtype":"float32","shape":[2],"storage":"uint8","mean":5,"std":6,"file":"t",
        "offset":7,"bytes":8,"quantization":{"scales":[0.5],"zero_points":[3],"axis":2}}],
       "outputs":[{"index":9,"name":"y","dtype":"int8","shape":[3],"storage":"raw","sample_stride":10,"elements":11,
        "min":12,"max":13,"mean":14,"xnnpack_max_abs_diff":15,"xnnpack_mismatches":16,"offset":17,"bytes":18}]}]}]}
      """#
    let manifest = try JSONDecoder().decode(GoldenManifest.self, from: Data(text.utf8))
    #expect(manifest.seed == 7 && manifest.byteOrder == "little" && manifest.generator == ["numpy": "2"])
    #expect(manifest.skipped.map(\.model) == ["s"] && manifest.skipped.map(\.reason) == ["r"])
    let model = try #require(manifest.models.first)
    #expect(model.sha256 == "h" && model.reference == "builtin" && model.referenceRefusal == "no")
    #expect(model.rewrittenOps == ["A"] && model.modelFile == "f" && model.modelOffset == 3 && model.modelBytes == 4)
    #expect(model.operatorName == "ADD" && model.arithmetic == "float" && model.isStateful && model.signature == "s")
    let item = try #require(model.cases.first)
    #expect(item.name == "c" && item.image == "i.png")
    let input = item.inputs[0], output = item.outputs[0]
    #expect(input.index == 1 && input.mean == 5 && input.std == 6 && input.storage == "uint8")
    #expect(input.location == GoldenLocation(file: "t", offset: 7, byteCount: 8))
    #expect(input.quantization == GoldenQuantization(scales: [0.5], zeroPoints: [3], axis: 2))
    #expect(output.index == 9 && output.sampleStride == 10 && output.elements == 11 && output.storage == "raw")
    #expect(output.min == 12 && output.max == 13 && output.mean == 14)
    #expect(output.xnnpackMaxAbsDiff == 15 && output.xnnpackMismatches == 16)
    #expect(output.location == GoldenLocation(file: "tensors.bin", offset: 17, byteCount: 18))
    #expect(manifest.models(forOperator: "ADD").count == 1 && manifest.models(forOperator: "SUB").isEmpty)
  }

  @Test("a packed model is in models.bin unless the entry says otherwise")
  func defaults() throws {
    func model(_ fields: String) throws -> GoldenModel {
      try JSONDecoder().decode(GoldenModel.self, from: Data(#"{"model":"m","cases":[]\#(fields)}"#.utf8))
    }
    #expect(try model(#","model_offset":0"#).modelFile == "models.bin" && model("").modelFile == nil)
    #expect(try model(#","model_file":"x""#).modelFile == "x" && model("").rewrittenOps == [] && !model("").isStateful)
    let manifest = try JSONDecoder().decode(GoldenManifest.self, from: Data(#"{"format":1,"models":[]}"#.utf8))
    #expect(manifest.generator == [:] && manifest.skipped.isEmpty && manifest.seed == nil)
    #expect(GoldenQuantization() == GoldenQuantization(scales: [], zeroPoints: [], axis: 0))
  }

  @Test("kinds of errors are distinct, and errors name their file")
  func errors() {
    let codes: [GoldenError.Code] = [.unreadable, .malformed, .unsupported, .unsafePath, .wrongSize]
    #expect(Set(codes).count == 5)
    #expect(codes.map(\.name) == ["unreadable", "malformed", "unsupported", "unsafePath", "wrongSize"])
    #expect(
      GoldenError(.malformed, file: "f", "m").description == "f: m" && GoldenError(.malformed, "m").description == "m")
  }

  @Test("parts of files are read up to their last byte")
  func parts() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3, 4], to: "f")
    #expect(try GoldenFile.read(path, offset: 1, count: 3) == [2, 3, 4])
    #expect(
      try GoldenFile.read(path, offset: 4, count: 0) == [] && GoldenFile.read(path, offset: 0, count: 4).count == 4)
    for (offset, count) in [(2, 3), (5, 0), (0, 5), (-1, 1), (1, -1)] {
      let error = #expect(throws: GoldenError.self) { try GoldenFile.read(path, offset: offset, count: count) }
      #expect(error?.code == .wrongSize)
      #expect(error?.message == "expected \(count) bytes at offset \(offset), the file has 4")
    }
    #expect(try GoldenFile.readWhole(path, limit: 4) == [1, 2, 3, 4])
    let large = #expect(throws: GoldenError.self) { try GoldenFile.readWhole(path, limit: 3) }
    #expect(large?.code == .wrongSize && large?.message == "the file has 4 bytes, more than the limit of 3")
    for (other, message) in [
      (folder.path, "is a folder, not a file"), (folder.path + "/no", "no such file"),
      ("/dev/null", "is a pipe or a device, not a file"),
    ] {
      let error = #expect(throws: GoldenError.self) { try GoldenFile.readWhole(other, limit: 9) }
      #expect(error?.code == .unreadable && error?.message == message)
    }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: path)
    #expect(try GoldenFile.readWhole(folder.path + "/link", limit: 4).count == 4)
  }

  @Test("error messages of rejected tensors")
  func messages() {
    func message(_ type: ElementType, _ shape: [Int], _ count: Int) -> String {
      do {
        _ = try GoldenTensor(elementType: type, shape: shape, bytes: [UInt8](repeating: 0, count: count))
        return "taken"
      } catch {
        return "\(error.code.name): \(error.message)"
      }
    }
    #expect(message(.int16, [2, 3], 12) == "taken" && message(.string, [0], 8) == "taken")
    #expect(message(.int16, [2, 3], 13) == "wrongSize: int16 of shape [2, 3] takes 12 bytes, got 13")
    #expect(message(.string, [1], 8) == "wrongSize: a string tensor of shape [1] needs 1 strings, the bytes hold 0")
    #expect(
      message(.int8, [-1], 0) == "wrongSize: shape [-1] is negative or has more elements than can be counted")
    #expect(message(.variant, [1], 4) == "unsupported: a tensor of type variant has no fixed size")
  }

  @Test("complex128, float64, and bfloat16 are read as numbers")
  func floats() throws {
    let doubles = [1.5, -2].flatMap { Tensors.bytes($0.bitPattern) }
    #expect(try GoldenTensor(elementType: .float64, shape: [2], bytes: doubles).floatingPointValues == [1.5, -2])
    #expect(try GoldenTensor(elementType: .complex128, shape: [1], bytes: doubles).floatingPointValues == [1.5, -2])
    #expect(try GoldenTensor(elementType: .bfloat16, shape: [1], bytes: [0xC0, 0x3F]).floatingPointValues == [1.5])
    #expect(try GoldenTensor(elementType: .uint64, shape: [1], bytes: Tensors.bytes(UInt64(7))).integerValues == [7])
    #expect(try GoldenTensor(elementType: .float16, shape: [1], bytes: [0, 0x3E]).floatingPointValues == [1.5])
    #expect(try GoldenTensor(elementType: .int8, shape: [1], bytes: [1]).stringValues == nil)
    #expect(ElementType.float16.relativeStep == 0x1p-10 && ElementType.bfloat16.relativeStep == 0x1p-7)
    #expect(ElementType.float32.relativeStep == 0)
  }

  @Test(
    "types have NumPy's type codes",
    arguments: [
      (ElementType.float16, "f2"), (.float32, "f4"), (.float64, "f8"), (.int8, "i1"), (.uint8, "u1"), (.int16, "i2"),
      (.uint16, "u2"), (.int32, "i4"), (.uint32, "u4"), (.int64, "i8"), (.uint64, "u8"), (.bool, "b1"),
      (.complex64, "c8"), (.complex128, "c16"),
    ])
  func descriptors(type: ElementType, text: String) {
    #expect(type.npyDescriptor == text && ElementType(npyDescriptor: text) == type)
    #expect(ElementType(numpyName: type.name) == type)
  }

  @Test("types without a NumPy counterpart have no type code")
  func noDescriptors() {
    #expect(ElementType.string.npyDescriptor == nil && ElementType.int4.npyDescriptor == nil)
    #expect(ElementType(npyDescriptor: "i3") == nil && ElementType(numpyName: "string") == .string)
    let error = #expect(throws: GoldenError.self) { try NPYFile.encode(try Tensors.strings(["a"])) }
    #expect(error?.code == .unsupported && error?.message == "tensors of type string cannot be written as .npy")
  }

  // MARK: .npy

  private func reason(_ bytes: [UInt8]) -> String {
    do {
      _ = try NPYFile.decode(bytes)
      return "read"
    } catch {
      return "\(error.code.name): \(error.message)"
    }
  }

  private func file(_ header: String, _ data: [UInt8], version: [UInt8] = [1, 0]) -> [UInt8] {
    let length: [UInt8] = [UInt8(header.utf8.count), 0] + (version[0] == 1 ? [] : [0, 0])
    return [0x93] + Array("NUMPY".utf8) + version + length + Array(header.utf8) + data
  }

  @Test("error messages of rejected .npy files")
  func npyMessages() {
    let good = "{'descr': '|u1', 'fortran_order': False, 'shape': (1,)}"
    #expect(reason(file(good, [1])) == "read")
    #expect(reason(file(good, [1], version: [3, 0])) == "read")
    #expect(
      reason(Array(file(good, [1]).prefix(9)))
        == "malformed: not a .npy file: it does not begin with \\x93NUMPY and a version")
    #expect(
      reason(file(good, [1], version: [4, 0])) == "unsupported: .npy format version 4.0; supported are 1.0, 2.0 and 3.0"
    )
    #expect(
      reason(file(good, [1], version: [1, 1])) == "unsupported: .npy format version 1.1; supported are 1.0, 2.0 and 3.0"
    )
    #expect(
      reason(Array(file(good, [1], version: [2, 0]).prefix(11)))
        == "malformed: the .npy file ends inside its header length")
    #expect(
      reason([0x93] + Array("NUMPY".utf8) + [1, 0, 5, 0, 1])
        == "malformed: the .npy header should take 5 bytes, 1 are left")
    #expect(
      reason(file("{'descr': '?u1', 'fortran_order': False, 'shape': (1,)}", [1]))
        == "malformed: the .npy header has a type '?u1' without a valid byte order")
    #expect(
      reason(file("{'descr': '|u2', 'fortran_order': False, 'shape': (1,)}", [1, 0]))
        == "malformed: the .npy header has a type '|u2' without a valid byte order")
    #expect(reason(file("{'descr': '=u2', 'fortran_order': False, 'shape': (1,)}", [1, 0])) == "read")
    #expect(reason(file("{'descr': '>u1', 'fortran_order': False, 'shape': (1,)}", [1])) == "read")
    #expect(
      reason(file("{'descr': '>u2', 'fortran_order': False, 'shape': (1,)}", [1, 0, 9]))
        == "wrongSize: uint16 of shape [1] takes 2 bytes, got 3")
  }

  @Test("error messages of rejected headers")
  func headerMessages() {
    func header(_ text: String) -> String {
      let found = reason(file(text, [1]))
      return found.replacing("malformed: the .npy header cannot be read: ", with: "")
    }
    let rest = "'fortran_order': False, 'shape': (1,)}"
    #expect(header("{'descr': '|u1', 'fortran_order': False, 'shape': (1,),}") == "read")
    #expect(header("\t{'descr':'|u1',\n'fortran_order':False,'shape':(1)}\n ") == "read")
    #expect(header("'descr'") == "expected '{' before '''" && header("") == "expected '{' at its end")
    #expect(header("{'descr' '|u1', " + rest) == "expected ':' before '''")
    #expect(header("{descr: '|u1', " + rest) == "expected a string before 'd'")
    #expect(header("{'descr': '|u1' " + rest) == "expected '}' before '''")
    #expect(header("{'descr': '|u1', 'descr': '|u1', " + rest) == "the key 'descr' is there twice")
    #expect(header("{'descr': '|u1', 'x': 1, " + rest) == "unknown key 'x'")
    #expect(header("{'descr': '|u1', " + rest + "x") == "there is something after the closing brace")
    #expect(header("{" + rest) == "the key 'descr' is missing")
    #expect(header("{'descr': '|u1', 'shape': (1,)}") == "the key 'fortran_order' is missing")
    #expect(header("{'descr': '|u1', 'fortran_order': False}") == "the key 'shape' is missing")
    #expect(header("{'descr': '|u1', 'fortran_order': Maybe, 'shape': (1,)}") == "expected True or False before 'M'")
    #expect(header("{'descr': '|u1', 'fortran_order': False, 'shape': (1 1)}") == "expected ')' before '1'")
    #expect(header("{'descr': '|u1', 'fortran_order': False, 'shape': (x,)}") == "expected a dimension before 'x'")
    #expect(header("{'descr': '|u\\x', " + rest) == "a string holds characters that are not plain")
    #expect(header("{'descr': '|u\u{7F}', " + rest) == "a string holds characters that are not plain")
    #expect(header("{'descr': '|u\u{1F}', " + rest) == "a string holds characters that are not plain")
    #expect(
      header("{'descr': ['a'], " + rest)
        == "unsupported: structured arrays are not supported; save a single field of the array")
  }

  @Test("an array has up to 64 dimensions", arguments: [64, 65])
  func rank(count: Int) {
    let shape = "(" + String(repeating: "1,", count: count) + ")"
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': \(shape)}"
    #expect(
      reason(file(text, [1]))
        == (count == 64 ? "read" : "malformed: the .npy header cannot be read: more than 64 dimensions"))
  }

  @Test("positions in a document are reported as paths")
  func decodingErrors() throws {
    struct Inner: Decodable { var a: Int }
    struct Outer: Decodable { var list: [Inner] }
    func place(_ text: String) -> String {
      let error: DecodingError? = thrownError { try JSONDecoder().decode(Outer.self, from: Data(text.utf8)) }
      return error?.placeAndReason ?? "read"
    }
    #expect(place(#"{"list":[{"a":1},{}]}"#) == #"list.[1] lacks "a""# && place("{}") == #"the document lacks "list""#)
    #expect(place(#"{"list":[{"a":"x"}]}"#) == "list.[0].a is not Int")
    #expect(place(#"{"list":[{"a":null}]}"#) == "list.[0].a is null, expected Int")
    #expect(place("{").hasPrefix("the document: "))
  }
}
