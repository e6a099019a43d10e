import SwiftletFlatBuffers

// Field IDs of the metadata schema's tables, in schema order.
// Source: the TFLite metadata schema (`M001`), version 1.5.0.

enum ModelMetadataField {
  static let name = FlatField(0, "name")
  static let description = FlatField(1, "description")
  static let version = FlatField(2, "version")
  static let subgraphs = FlatField(3, "subgraph_metadata")
  static let author = FlatField(4, "author")
  static let license = FlatField(5, "license")
  static let associatedFiles = FlatField(6, "associated_files")
  static let minimumParserVersion = FlatField(7, "min_parser_version")
}

enum SubgraphMetadataField {
  static let name = FlatField(0, "name")
  static let description = FlatField(1, "description")
  static let inputs = FlatField(2, "input_tensor_metadata")
  static let outputs = FlatField(3, "output_tensor_metadata")
  static let associatedFiles = FlatField(4, "associated_files")
  static let inputProcessUnits = FlatField(5, "input_process_units")
  static let outputProcessUnits = FlatField(6, "output_process_units")
  static let inputGroups = FlatField(7, "input_tensor_groups")
  static let outputGroups = FlatField(8, "output_tensor_groups")
  static let customMetadata = FlatField(9, "custom_metadata")
}

enum TensorMetadataField {
  static let name = FlatField(0, "name")
  static let description = FlatField(1, "description")
  static let dimensionNames = FlatField(2, "dimension_names")
  static let content = FlatField(3, "content")
  static let processUnits = FlatField(4, "process_units")
  static let statistics = FlatField(5, "stats")
  static let associatedFiles = FlatField(6, "associated_files")
}

enum ContentField {
  static let propertiesTag = FlatField(0, "content_properties_type")
  static let properties = FlatField(1, "content_properties")
  static let range = FlatField(2, "range")
  static let rangeMinimum = FlatField(0, "min")
  static let rangeMaximum = FlatField(1, "max")
}

enum ImagePropertiesField {
  static let colorSpace = FlatField(0, "color_space")
  static let defaultSize = FlatField(1, "default_size")
  static let width = FlatField(0, "width")
  static let height = FlatField(1, "height")
}

enum BoundingBoxPropertiesField {
  static let index = FlatField(0, "index")
  static let kind = FlatField(1, "type")
  static let coordinateKind = FlatField(2, "coordinate_type")
}

enum AudioPropertiesField {
  static let sampleRate = FlatField(0, "sample_rate")
  static let channels = FlatField(1, "channels")
}

enum ProcessUnitField {
  static let optionsTag = FlatField(0, "options_type")
  static let options = FlatField(1, "options")
  static let mean = FlatField(0, "mean")
  static let deviation = FlatField(1, "std")
  static let scoreTransformation = FlatField(0, "score_transformation")
  static let defaultScore = FlatField(1, "default_score")
  static let threshold = FlatField(0, "global_score_threshold")
  static let wordPieceVocabulary = FlatField(0, "vocab_file")
  static let delimiterPattern = FlatField(0, "delim_regex_pattern")
  static let patternVocabulary = FlatField(1, "vocab_file")
}

enum StatisticsField {
  static let maximum = FlatField(0, "max")
  static let minimum = FlatField(1, "min")
}

enum AssociatedFileField {
  static let name = FlatField(0, "name")
  static let description = FlatField(1, "description")
  static let kind = FlatField(2, "type")
  static let locale = FlatField(3, "locale")
  static let version = FlatField(4, "version")
}

enum TensorGroupField {
  static let name = FlatField(0, "name")
  static let tensorNames = FlatField(1, "tensor_names")
}

enum CustomMetadataField {
  static let name = FlatField(0, "name")
  static let data = FlatField(1, "data")
}
