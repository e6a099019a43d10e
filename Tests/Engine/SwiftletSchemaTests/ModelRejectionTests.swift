import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("ModelFile rejects")
struct ModelRejectionTests {
  @Test("another schema version")
  func version() {
    var model = RawModel.addition
    model.fields[0] = .uint(4)
    let error = model.error()
    #expect(error?.code == .unsupported)
    #expect(error?.description == "version: the model has schema version 4; version 3 is supported")
  }

  @Test("a model without subgraphs")
  func noSubgraphs() {
    var model = RawModel.addition
    model.subgraphs = []
    #expect(model.error()?.code == .invalid)
    model.fields[2] = .uint(0)
    #expect(model.error()?.code == .malformed)
  }

  @Test("a custom operator without a name")
  func namelessCustomOperator() {
    for name in [nil, ""] {
      var model = RawModel.addition
      model.operatorCodes = [.init(32, customName: name)]
      #expect(model.error()?.location == "operator_codes[0]")
    }
  }

  @Test("nonexistent operator codes, tensors, and buffers, with their location")
  func badIndices() {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].code = 1
    #expect(model.error()?.location == "subgraphs[0].operators[0].opcode_index")

    for (inputs, outputs, location) in [
      ([0, 3], [2], "inputs[1]"), ([-2], [2], "inputs[0]"), ([0], [-1], "outputs[0]"), ([0], [3], "outputs[0]"),
    ] as [([Int32], [Int32], String)] {
      model = .addition
      model.subgraphs[0].operators[0].inputs = inputs
      model.subgraphs[0].operators[0].outputs = outputs
      let error = model.error()
      #expect(error?.code == .invalid)
      #expect(error?.location == "subgraphs[0].operators[0] (ADD)." + location)
    }

    model = .addition
    model.subgraphs[0].operators[0].fields[8] = .ints([3])
    #expect(model.error()?.location == "subgraphs[0].operators[0] (ADD).intermediates[0]")

    model = .addition
    model.subgraphs[0].inputs = [-1]
    #expect(model.error()?.location == "subgraphs[0].inputs[0]")

    model = .addition
    model.subgraphs[0].tensors[0].fields = [2: .uint(2)]
    let error = model.error()
    #expect(error?.location == "subgraphs[0].tensors[0].buffer")
    #expect(error?.message == "tensor \"input\" refers to buffer 2; the model has 2 buffers")
  }

  @Test("shapes that are negative, too large or of too many dimensions")
  func badShapes() {
    for (shape, code) in [
      ([1, -1], .invalid), ([65_536, 65_536], .limitExceeded), ([Int32.max, 2], .limitExceeded),
      ([0, Int32.max, Int32.max], .limitExceeded), ([Int32](repeating: 1, count: 9), .limitExceeded),
      ([Int32](repeating: .max, count: 8), .limitExceeded),
    ] as [([Int32], SchemaError.Code)] {
      var model = RawModel.addition
      model.subgraphs[0].tensors[0].shape = shape
      let error = model.error()
      #expect(error?.code == code, "\(shape)")
      #expect(error?.location == "subgraphs[0].tensors[0].shape")
    }
  }

  @Test("shape signatures of another rank, or below -1")
  func badSignatures() {
    for signature in [[1], [1, 4, 1], [-2, 4]] as [[Int32]] {
      var model = RawModel.addition
      model.subgraphs[0].tensors[0].fields = [7: .ints(signature)]
      #expect(model.error()?.location == "subgraphs[0].tensors[0].shape_signature")
    }
  }

  @Test("an unknown element type")
  func unknownType() {
    for type in [-1, 23, 127] as [Int8] {
      var model = RawModel.addition
      model.subgraphs[0].tensors[0].type = type
      #expect(model.error()?.code == .unsupported)
    }
  }

  @Test("a variable with constant data")
  func constantVariable() {
    var model = RawModel.addition
    model.subgraphs[0].tensors[1].fields = [5: .bool(true)]
    #expect(model.error()?.message.contains("is a variable") == true)
  }

  @Test("bytes in another file, naming it")
  func externalBuffers() {
    var model = RawModel.addition
    model.subgraphs[0].tensors[0].fields = [10: .uint(7)]
    model.fields[8] = .tables([[0: .string("weights.bin")]])
    model.fields[9] = .tables([[0: .uint(7), 1: .uint(0), 2: .long(0), 3: .long(16)]])
    let error = model.error()
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("(\"weights.bin\")") == true)
    model.subgraphs[0].tensors[1].fields = [10: .uint(7)]
    model.subgraphs[0].tensors[0].fields = [:]
    #expect(model.error()?.message.contains("both in buffer 1 and in external buffer 7") == true)
  }

  @Test("hostile names, without repeating them in full")
  func longNames() {
    var model = RawModel.addition
    model.subgraphs[0].tensors[0].name = String(repeating: "long", count: 100_000)
    model.subgraphs[0].tensors[0].shape = [-1]
    let error = model.error()
    #expect(error?.message.hasPrefix("the dimensions of tensor \"longlong") == true)
    #expect((error?.message.utf8.count ?? 0) < 2100)
  }

  @Test("more tables than the limit")
  func tableLimit() throws {
    var limits = ModelLimits.default
    limits.flatBuffer.tables = 5
    let error = #expect(throws: SchemaError.self) { try RawModel.addition.parsed(limits: limits) }
    #expect(error?.code == .limitExceeded)
  }
}

@Suite("Damaged model files")
struct DamagedModelTests {
  /// A model that uses most of the format: several subgraphs, quantization, sparsity, text, signatures, and metadata.
  static let bytes: [UInt8] = {
    var model = RawModel.addition
    model.operatorCodes = [.init(0), .init(118), .init(32, customName: "Mine")]
    model.subgraphs[0].tensors[0].fields = [
      4: .table([2: .floats([0.5]), 3: .longs([3]), 6: .int(0)]), 7: .ints([-1, 4]), 8: .bool(true),
    ]
    model.subgraphs[0].tensors += [
      .init("condition", type: 6, shape: [1], data: [1]),
      .init("chosen", shape: [1, 4]),
      .init("text", type: 5, shape: [1], data: [1, 0, 0, 0, 12, 0, 0, 0, 14, 0, 0, 0, 65, 66]),
      .init(
        "sparse", shape: [2, 2], data: [0, 0, 0, 0],
        fields: [
          6: .table([
            0: .ints([0, 1]),
            2: .tables([
              [1: .int(2)],
              [
                0: .byte(1), 2: .byte(1), 3: .table([0: .ints([0, 1, 1])]), 4: .byte(3),
                5: .table([0: .bytes([1])]),
              ],
            ]),
          ])
        ]),
      .init("custom", shape: [1]),
    ]
    model.subgraphs[0].outputs = [4, 7]
    model.subgraphs[0].operators += [
      .init(
        1, inputs: [3, 2], outputs: [4],
        fields: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] }.operatorFields),
      .init(2, inputs: [5, 6], outputs: [7], fields: [5: .bytes([24, 252, 5, 2])]),
    ]
    model.subgraphs.append(
      .init(
        name: "branch", tensors: [.init("x", shape: [1, 4])], inputs: [0], outputs: [0], operators: []))
    model.metadata = [("TFLITE_METADATA", MetadataSample.bytes)]
    model.fields[7] = .tables([
      [
        0: .tables([[0: .string("x"), 1: .uint(0)]]), 1: .tables([[0: .string("y"), 1: .uint(4)]]), 2: .string("main"),
      ]
    ])
    return model.bytes
  }()

  /// Reads the model and accesses everything it refers to. Returns whether an error was thrown.
  private func isRejected(_ bytes: [UInt8]) -> Bool {
    do {
      let model = try ModelFile(ByteRegion(bytes))
      for subgraph in model.subgraphs {
        for tensor in subgraph.tensors { _ = tensor.data?.array }
        for description in subgraph.operators {
          _ = try description.calledSubgraphs()
          _ = try description.customOptionValues()
        }
      }
      _ = try model.modelMetadata()
      return false
    } catch {
      // Every error must have a message.
      #expect(!error.message.isEmpty)
      return true
    }
  }

  @Test("the undamaged model is read")
  func undamaged() throws {
    let model = try ModelFile(ByteRegion(Self.bytes))
    #expect(model.subgraphs[0].tensors[6].sparsity != nil)
    #expect(try model.modelMetadata()?.name == "sample")
    #expect(!isRejected(Self.bytes))
  }

  @Test("every truncation is rejected")
  func truncated() {
    let end = (Self.bytes.lastIndex { $0 != 0 } ?? 0)
    for count in 0...end { #expect(isRejected(Array(Self.bytes.prefix(count))), "\(count) bytes") }
  }

  @Test(
    "hostile values in every word are survived",
    arguments: [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] as [UInt32])
  func hostileWords(_ value: UInt32) {
    var rejections = 0
    for position in stride(from: 0, to: Self.bytes.count - 3, by: 4) {
      var bytes = Self.bytes
      for index in 0..<4 { bytes[position + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
      if isRejected(bytes) { rejections += 1 }
    }
    #expect(rejections > Self.bytes.count / 16)
  }

  @Test("random damage is survived")
  func randomDamage() {
    var generator = SplitMix64(state: 11)
    var rejections = 0
    for _ in 0..<4000 {
      var bytes = Self.bytes
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      if isRejected(bytes) { rejections += 1 }
    }
    #expect(rejections > 1000)
  }
}
