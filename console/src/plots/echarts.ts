import { HeatmapChart, LineChart, MapChart } from 'echarts/charts';
import { BrushComponent, GridComponent, TooltipComponent, VisualMapComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

echarts.use([
  LineChart,
  HeatmapChart,
  MapChart,
  GridComponent,
  TooltipComponent,
  VisualMapComponent,
  BrushComponent,
  CanvasRenderer,
]);

export { echarts };
