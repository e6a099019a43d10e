import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Named options")
struct NamedOptionsTests {
  private func options(_ written: WrittenOptions) throws -> [OperatorDescription.Option] {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = written.operatorFields
    return try model.parsed().subgraphs[0].operators[0].namedOptions
  }

  private func text(_ options: [OperatorDescription.Option]) -> [String] { options.map { "\($0.name)=\($0.value)" } }

  @Test("a convolution's options have their names, and defaults if not stored")
  func convolution() throws {
    let convolution = Conv2DOptions.with {
      [$0.padding(.valid), $0.strideWidth(2), $0.strideHeight(3), $0.fusedActivation(.relu6)]
    }
    #expect(
      text(try options(convolution)) == [
        "padding=VALID", "stride_w=2", "stride_h=3", "fused_activation_function=RELU6", "dilation_w_factor=1",
        "dilation_h_factor=1",
      ])
    #expect(
      text(
        try options(FullyConnectedOptions.with { [$0.keepDimensionCount(true), $0.quantizedBiasType(.int32)] })
      ).suffix(2) == [
        "asymmetric_quantize_inputs=false", "quantized_bias_type=int32",
      ])
  }

  @Test("lists, flags, types, and floats are listed, and obsolete fields are omitted")
  func kinds() throws {
    #expect(text(try options(ReshapeOptions.with { [$0.newShape([1, -1])] })) == ["new_shape=1, -1"])
    #expect(
      text(try options(ResizeBilinearOptions.with { [$0.newHeight(7), $0.alignCorners(true)] })) == [
        "align_corners=true", "half_pixel_centers=false",
      ])
    #expect(
      text(try options(CastOptions.with { [$0.inputDataType(.int8), $0.outputDataType(code: 77)] })) == [
        "in_data_type=int8", "out_data_type=unknown (77)",
      ])
    #expect(text(try options(SoftmaxOptions.with { [$0.beta(0.5)] })) == ["beta=0.5"])
    #expect(text(try options(AddOptions.empty)) == ["fused_activation_function=NONE", "pot_scale_int16=true"])
    #expect(
      text(try options(VarHandleOptions.with { [$0.sharedName("state")] })) == ["container=", "shared_name=state"])
  }

  @Test("control operators name the subgraphs that they run")
  func subgraphs() throws {
    let options = try options(WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    #expect(text(options) == ["cond_subgraph_index=1", "body_subgraph_index=2"])
    #expect(options.flatMap(\.subgraphs) == [1, 2])
  }

  @Test("operators without options list none, and a damaged field doesn't hide the others")
  func absentAndDamaged() throws {
    var model = RawModel.addition
    model.subgraphs[0].operators[0].fields = [:]
    #expect(try model.parsed().subgraphs[0].operators[0].namedOptions.isEmpty)
    let lie = FlatValue.lyingVector(count: .max, bytes: [0, 0, 0, 0])
    let damaged = text(try options(SqueezeOptions.with { [$0.squeezeDimensions(raw: lie)] }))
    #expect(damaged.count == 1 && damaged[0].hasPrefix("field 0=cannot be read: "))
    let mixed = text(
      try options(ConcatEmbeddingsOptions.with { [$0.channelCount(4), $0.columnsPerChannel(raw: lie)] }))
    #expect(
      mixed.count == 3 && mixed[0] == "num_channels=4" && mixed[1].contains("cannot be read")
        && mixed[2] == "embedding_dim_per_channel=")
  }

  @Test("the values of small constants are listed, and those of large ones are not")
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
