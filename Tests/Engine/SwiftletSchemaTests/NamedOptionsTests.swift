import SwiftletFlatBuffers
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Named options")
struct NamedOptionsTests {
  private func options(tag: Int8, _ fields: [Int: FlatValue]) throws -> [OperatorDescription.Option] {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = [3: .byte(tag), 4: .table(fields)]
    return try model.parsed().subgraphs[0].operators[0].namedOptions
  }

  private func text(_ options: [OperatorDescription.Option]) -> [String] { options.map { "\($0.name)=\($0.value)" } }

  @Test("a convolution's options have their names, and defaults where nothing is stored")
  func convolution() throws {
    #expect(
      text(try options(tag: 1, [0: .byte(1), 1: .int(2), 2: .int(3), 3: .byte(3)])) == [
        "padding=VALID", "stride_w=2", "stride_h=3", "fused_activation_function=RELU6", "dilation_w_factor=1",
        "dilation_h_factor=1",
      ])
    #expect(
      text(try options(tag: 8, [2: .bool(true), 4: .byte(2)])).suffix(2) == [
        "asymmetric_quantize_inputs=false", "quantized_bias_type=int32",
      ])
  }

  @Test("lists, flags, types and floats are written out, and fields that mean nothing any more left out")
  func kinds() throws {
    #expect(text(try options(tag: 17, [0: .ints([1, -1])])) == ["new_shape=1, -1"])
    #expect(
      text(try options(tag: 15, [0: .int(7), 2: .bool(true)])) == ["align_corners=true", "half_pixel_centers=false"])
    #expect(
      text(try options(tag: 37, [0: .byte(9), 1: .byte(77)])) == ["in_data_type=int8", "out_data_type=unknown (77)"])
    #expect(text(try options(tag: 9, [0: .float(0.5)])) == ["beta=0.5"])
    #expect(text(try options(tag: 11, [:])) == ["fused_activation_function=NONE", "pot_scale_int16=true"])
    #expect(text(try options(tag: 111, [1: .string("state")])) == ["container=", "shared_name=state"])
  }

  @Test("control operators name the subgraphs that they run")
  func subgraphs() throws {
    let options = try options(tag: 93, [0: .int(1), 1: .int(2)])
    #expect(text(options) == ["cond_subgraph_index=1", "body_subgraph_index=2"])
    #expect(options.flatMap(\.subgraphs) == [1, 2])
  }

  @Test("an operator without options has none, and a damaged field says so without hiding the others")
  func absentAndDamaged() throws {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = [:]
    #expect(try model.parsed().subgraphs[0].operators[0].namedOptions.isEmpty)
    let damaged = text(try options(tag: 30, [0: .lyingVector(count: .max, bytes: [0, 0, 0, 0])]))
    #expect(damaged.count == 1 && damaged[0].hasPrefix("field 0=cannot be read: "))
    let mixed = text(try options(tag: 3, [0: .int(4), 1: .lyingVector(count: .max, bytes: [0, 0, 0, 0])]))
    #expect(
      mixed.count == 3 && mixed[0] == "num_channels=4" && mixed[1].contains("cannot be read")
        && mixed[2] == "embedding_dim_per_channel=")
  }

  @Test("the values of a small constant are written out, those of a large one are not")
  func fewValues() throws {
    var graph = TestGraph()
    let axes = graph.constant([Int32(1), -2])
    let scale = graph.constant([Float(0.5)])
    let flags = graph.constant([true, false])
    let many = graph.constant([Int8](repeating: 1, count: 17))
    let computed = graph.output(.int32, [2])
    graph.add(.floor, [axes], [computed])
    let tensors = try ModelFile(ByteRegion(TestGraph.bytes([graph]))).subgraphs[0].tensors
    #expect(
      tensors[axes].fewValues == "1, -2" && tensors[scale].fewValues == "0.5"
        && tensors[flags].fewValues == "true, false")
    #expect(tensors[many].fewValues == nil && tensors[computed].fewValues == nil)
  }

  @Test("a custom operator's map is listed by its keys, other bytes by their number")
  func customOptions() throws {
    func custom(_ bytes: [UInt8]) throws -> [String] {
      var graph = TestGraph()
      let x = graph.input(.float32, [1])
      let y = graph.output(.float32, [1])
      graph.add(custom: "Own", [x], [y], options: bytes)
      return text(try ModelFile(ByteRegion(TestGraph.bytes([graph]))).subgraphs[0].operators[0].namedOptions)
    }
    #expect(Set(try custom(FlexMap.bytes(["flag": .bool(true), "size": .int(7)]))) == ["flag=true", "size=7"])
    #expect(try custom([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) == ["custom_options=12 bytes"])
  }
}
