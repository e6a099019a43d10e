// Sliding windows over images: convolution and pooling.

package enum Conv2DOptions: OptionSchema {
  package static var tag: Int { 1 }
  package static var padding: OptionField<WindowPadding> { .padding(0) }
  package static var strideWidth: OptionField<Int> { .int(1, "stride_w") }
  package static var strideHeight: OptionField<Int> { .int(2, "stride_h") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(3) }
  package static var dilationWidth: OptionField<Int> { .int(4, "dilation_w_factor", default: 1) }
  package static var dilationHeight: OptionField<Int> { .int(5, "dilation_h_factor", default: 1) }
  package static var quantizedBiasType: OptionField<ElementType> { .biasType(6) }
  package static var fields: [OptionDefinition] {
    [
      padding.definition, strideWidth.definition, strideHeight.definition, fusedActivation.definition,
      dilationWidth.definition, dilationHeight.definition, quantizedBiasType.definition,
    ]
  }
}

package enum DepthwiseConv2DOptions: OptionSchema {
  package static var tag: Int { 2 }
  package static var padding: OptionField<WindowPadding> { .padding(0) }
  package static var strideWidth: OptionField<Int> { .int(1, "stride_w") }
  package static var strideHeight: OptionField<Int> { .int(2, "stride_h") }
  package static var depthMultiplier: OptionField<Int> { .int(3, "depth_multiplier") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(4) }
  package static var dilationWidth: OptionField<Int> { .int(5, "dilation_w_factor", default: 1) }
  package static var dilationHeight: OptionField<Int> { .int(6, "dilation_h_factor", default: 1) }
  package static var fields: [OptionDefinition] {
    [
      padding.definition, strideWidth.definition, strideHeight.definition, depthMultiplier.definition,
      fusedActivation.definition, dilationWidth.definition, dilationHeight.definition,
    ]
  }
}

package enum TransposeConvOptions: OptionSchema {
  package static var tag: Int { 49 }
  package static var padding: OptionField<WindowPadding> { .padding(0) }
  package static var strideWidth: OptionField<Int> { .int(1, "stride_w") }
  package static var strideHeight: OptionField<Int> { .int(2, "stride_h") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(3) }
  package static var quantizedBiasType: OptionField<ElementType> { .biasType(4) }
  package static var fields: [OptionDefinition] {
    [
      padding.definition, strideWidth.definition, strideHeight.definition, fusedActivation.definition,
      quantizedBiasType.definition,
    ]
  }
}

package enum Conv3DOptions: OptionSchema {
  package static var tag: Int { 106 }
  package static var padding: OptionField<WindowPadding> { .padding(0) }
  package static var strideDepth: OptionField<Int> { .int(1, "stride_d") }
  package static var strideWidth: OptionField<Int> { .int(2, "stride_w") }
  package static var strideHeight: OptionField<Int> { .int(3, "stride_h") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(4) }
  package static var dilationDepth: OptionField<Int> { .int(5, "dilation_d_factor", default: 1) }
  package static var dilationWidth: OptionField<Int> { .int(6, "dilation_w_factor", default: 1) }
  package static var dilationHeight: OptionField<Int> { .int(7, "dilation_h_factor", default: 1) }
  package static var fields: [OptionDefinition] {
    [
      padding.definition, strideDepth.definition, strideWidth.definition, strideHeight.definition,
      fusedActivation.definition, dilationDepth.definition, dilationWidth.definition, dilationHeight.definition,
    ]
  }
}

package enum Pool2DOptions: OptionSchema {
  package static var tag: Int { 5 }
  package static var padding: OptionField<WindowPadding> { .padding(0) }
  package static var strideWidth: OptionField<Int> { .int(1, "stride_w") }
  package static var strideHeight: OptionField<Int> { .int(2, "stride_h") }
  package static var filterWidth: OptionField<Int> { .int(3, "filter_width") }
  package static var filterHeight: OptionField<Int> { .int(4, "filter_height") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(5) }
  package static var fields: [OptionDefinition] {
    [
      padding.definition, strideWidth.definition, strideHeight.definition, filterWidth.definition,
      filterHeight.definition, fusedActivation.definition,
    ]
  }
}
